internal import Synchronization

/// How many faults were tried in this process, for the figures of a campaign.
enum FaultTally {
  private static let total = Mutex(0)

  /// Adds one; in a complete campaign every five hundredth is told.
  static func count() {
    let now = total.withLock { total in
      total += 1
      return total
    }
    if FaultCampaign.isComplete, now % 500 == 0 { print("\(now) faults tried") }
  }
}
