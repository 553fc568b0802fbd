package carillon.benchmark;

import java.util.Locale;

/** The phases, in the order in which they are run: the later ones leave more behind in Redis. */
enum PhaseName {
  STEADY,
  NOW,
  HERD,
  MEMORY,
  ACCEPT,
  COST;

  /** As options and progress say it. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
