internal import CofferCore

/// The rules for the backups of a store that stay.
///
/// A backup stays if any of the rules keeps it. The counting rules go from the latest backup back and keep
/// the latest one of each hour, day, week, month or year that has one, until they have kept as many as
/// they say. Times are UTC, weeks begin on Monday.
public struct RetentionPolicy: Sendable, Equatable {
  /// The number of the latest backups that stay.
  public var last = 0
  /// The numbers of hours, days, weeks, months and years for which the latest backup stays.
  public var hourly = 0
  /// See ``hourly``.
  public var daily = 0
  /// See ``hourly``.
  public var weekly = 0
  /// See ``hourly``.
  public var monthly = 0
  /// See ``hourly``.
  public var yearly = 0
  /// The maximum age of backups that stay, in seconds before the latest one; nil for no such rule.
  public var within: Int64?
  /// The IDs of backups that stay in any case, or the beginnings of them.
  public var pinned: [String] = []

  /// Creates a policy without rules.
  public init() {}

  /// Whether there is a rule besides pinned backups.
  public var hasRules: Bool {
    within != nil || [last, hourly, daily, weekly, monthly, yearly].contains { $0 > 0 }
  }

  /// Decides about the backups of one store, the oldest first: by the names of the rules, why each stays.
  func reasons(for backups: [Backup]) -> [[String]] {
    var reasons = [[String]](repeating: [], count: backups.count)
    guard let latest = backups.last else { return [] }
    for (index, backup) in backups.enumerated() {
      if pinned.contains(where: { $0.utf8.count >= 4 && backup.id.hasPrefix($0.lowercased()) }) {
        reasons[index].append("pinned")
      }
      if let within,
        latest.moment.secondsSince1970 - backup.moment.secondsSince1970 <= within
      {
        reasons[index].append("within")
      }
      if index >= backups.count - last { reasons[index].append("last") }
    }
    let rules: [(name: String, count: Int, bucket: (Instant) -> Int)] = [
      ("hourly", hourly, { $0.dayNumber * 24 + $0.fields.hour }), ("daily", daily, \.dayNumber),
      // 2001-01-01 was a Monday.
      ("weekly", weekly, { ($0.dayNumber - (($0.dayNumber % 7) + 7) % 7) / 7 }),
      ("monthly", monthly, { $0.fields.year * 12 + $0.fields.month }),
      ("yearly", yearly, \.fields.year),
    ]
    for rule in rules {
      var (left, previous) = (rule.count, Int?.none)
      for (index, backup) in backups.enumerated().reversed() where left > 0 {
        let bucket = rule.bucket(backup.moment)
        guard bucket != previous || index == 0 else { continue }
        // While there is room, the oldest one stays, as a start.
        reasons[index].append(bucket == previous ? "oldest \(rule.name)" : rule.name)
        (left, previous) = (left - 1, bucket)
      }
    }
    return reasons
  }
}
