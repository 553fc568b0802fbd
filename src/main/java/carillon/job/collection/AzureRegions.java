package carillon.job.collection;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The regions of Azure at the service's time. The service answered {@code West US} to clients that
 * wrote {@code westus}.
 */
public final class AzureRegions {
  /** The names of the regions as of 2016 to 2018, including the national clouds. */
  public static final List<String> NAMES =
      List.of(
          """
          Australia Central, Australia Central 2, Australia East, Australia Southeast,
          Brazil South, Canada Central, Canada East, Central India, Central US, China East,
          China East 2, China North, China North 2, East Asia, East US, East US 2,
          France Central, France South, Germany Central, Germany Northeast, Japan East,
          Japan West, Korea Central, Korea South, North Central US, North Europe,
          South Central US, South India, Southeast Asia, UK South, UK West, US DoD Central,
          US DoD East, USGov Arizona, USGov Iowa, USGov Texas, USGov Virginia, West Central US,
          West Europe, West India, West US, West US 2"""
              .split(",\\s+", -1));

  private static final Map<String, String> DISPLAY_NAMES = displayNames();

  private AzureRegions() {}

  private static Map<String, String> displayNames() {
    Map<String, String> names = new HashMap<>();
    NAMES.forEach(name -> names.put(folded(name), name));
    return Map.copyOf(names);
  }

  private static String folded(String name) {
    return name.replace(" ", "").toLowerCase(Locale.ROOT);
  }

  /** Returns the region's display name, or the text itself if it names no region. */
  public static String display(String location) {
    return DISPLAY_NAMES.getOrDefault(folded(location), location);
  }
}
