package carillon.config;

import java.util.List;

/** The keys under which secrets are sealed; what they must be is for whoever reads them. */
public record SecretsSettings(@Setting(secret = true) List<String> keys, String keyFile) {
  public SecretsSettings {
    keys = List.copyOf(keys);
    new SettingRules("secrets")
        .require(
            keys.isEmpty() || keyFile.isEmpty(),
            "keyFile",
            keyFile,
            "must be empty where secrets.keys is set",
            "secrets.keys")
        .check();
  }

  /** What holds where nothing is set. */
  static SecretsSettings defaults() {
    return new SecretsSettings(List.of(), "");
  }

  /** Tells how many. */
  @Override
  public String toString() {
    return "Secrets[" + keys.size() + " keys, keyFile=" + keyFile + "]";
  }
}
