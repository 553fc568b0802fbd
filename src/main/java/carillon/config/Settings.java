package carillon.config;

/**
 * Everything an operator can set. The records are the schema: a record is a section, a component a
 * key; each has the rules in its constructor, which throws a {@link SettingsException} that names
 * every key, value and rule, and its defaults in {@code defaults}. What each key means is
 * documented in {@code conf/carillon.yaml}, which a test keeps equal to the defaults. Sizes are in
 * bytes.
 */
public record Settings(
    HttpSettings http,
    RatesSettings rates,
    AccessSettings access,
    RedisSettings redis,
    DataSettings data,
    EmbeddedSettings embedded,
    NodeSettings node,
    int partitions,
    TimerSettings timer,
    DispatchSettings dispatch,
    QueuesSettings queues,
    EgressSettings egress,
    RetrySettings retry,
    HistorySettings history,
    AuditSettings audit,
    JobsSettings jobs,
    CollectionsSettings collections,
    LimitsSettings limits,
    ArmSettings arm,
    SecretsSettings secrets,
    OAuthSettings oauth,
    MetricsSettings metrics,
    TracingSettings tracing,
    LogSettings log) {

  /** Checks the rules that concern several sections. */
  public Settings {
    new SettingRules("")
        .between("partitions", partitions, 1, 1024)
        .require(
            http.maxBody() >= limits.jobBytes(),
            "http.maxBody",
            http.maxBody(),
            "must be at least limits.jobBytes ("
                + limits.jobBytes()
                + "), or such a job cannot be sent",
            "limits.jobBytes")
        .require(
            !access.accept().contains(AccessSettings.Proof.CERTIFICATES)
                || !http.tls().clientCa().isEmpty(),
            "http.tls.clientCa",
            http.tls().clientCa(),
            "must be set where access.accept contains certificates",
            "access.accept")
        .require(
            redis.commandTimeout().compareTo(node.lease()) < 0,
            "redis.commandTimeout",
            redis.commandTimeout(),
            "must be shorter than node.lease (" + DurationText.format(node.lease()) + ")",
            "node.lease")
        .check();
  }

  /** The settings of a Carillon that is told nothing. */
  public static Settings defaults() {
    return new Settings(
        HttpSettings.defaults(),
        RatesSettings.defaults(),
        AccessSettings.defaults(),
        RedisSettings.defaults(),
        DataSettings.defaults(),
        EmbeddedSettings.defaults(),
        NodeSettings.defaults(),
        64,
        TimerSettings.defaults(),
        DispatchSettings.defaults(),
        QueuesSettings.defaults(),
        EgressSettings.defaults(),
        RetrySettings.defaults(),
        HistorySettings.defaults(),
        AuditSettings.defaults(),
        JobsSettings.defaults(),
        CollectionsSettings.defaults(),
        LimitsSettings.defaults(),
        ArmSettings.defaults(),
        SecretsSettings.defaults(),
        OAuthSettings.defaults(),
        MetricsSettings.defaults(),
        TracingSettings.defaults(),
        LogSettings.defaults());
  }
}
