internal import Synchronization

/// The number of faults that were tried in this process, for the figures of a campaign.
enum FaultTally {
  private static let total = Mutex(0)

  /// Adds one; a complete campaign reports every five hundredth.
  static func count() {
    let now = total.withLock { total in
      total += 1
      return total
    }
    if FaultCampaign.isComplete, now % 500 == 0 { print("\(now) faults tried") }
  }
}
