internal import CoreDataModel
internal import POSIX

/// The resources that a machine must grant, so that work can always end with a message and clean up.
enum MachineLimits {
  /// The minimum number of files that the process can still open.
  static let files = 12
  /// The minimum number for the threads of the runtime, which ends the process without them.
  private static let filesOfThreads = 6
  /// The minimum address space left, in bytes: for threads, and libraries that are loaded when needed.
  static let addressSpace = 160 << 20

  /// Requires these resources.
  static func require() throws(CofferError) {
    try requireFiles(files)
    try requireMemory()
    if ProcessFacts.hasLimitedMemory {
      LeftoverPlaces.keep()
      endOnFaults()
    }
  }

  /// Requires the resources of threads before any starts; if address space is limited, lets them share it.
  static func requireThreads() throws(CofferError) {
    if ProcessFacts.hasLimitedMemory { LargeBlocks.share() }
    try requireFiles(filesOfThreads)
    // Without space for a thread, its work would be waited for forever.
    try requireMemory()
  }

  private static func requireMemory() throws(CofferError) {
    guard !ProcessFacts.canTake(addressSpace) else { return }
    throw CofferError(
      .machineLimit, path: "coffer",
      detail: "less than \(addressSpace >> 20) MiB of memory can be taken",
      advice: "Raise the limit with `ulimit -v`.")
  }

  private static func requireFiles(_ count: Int) throws(CofferError) {
    guard !ProcessFacts.canOpen(count) else { return }
    throw CofferError(
      .machineLimit, path: "coffer", detail: "fewer than \(count) files can be opened",
      advice: "Raise the limit with `ulimit -n`.")
  }

  /// Ends the process with a plain message and the status of a failure instead of a fault.
  ///
  /// A fault is the result of a refused request for memory. A new process removes the files.
  private static func endOnFaults() {
    for number in [SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS] {
      signal(number) { _ in
        let message: StaticString =
          "Error: coffer: there is not enough memory: it is limited, as by `ulimit -v`\n"
        _ = unsafe write(2, message.utf8Start, message.utf8CodeUnitCount)
        LeftoverPlaces.becomeRemover()
        _exit(ExitStatus.failed.rawValue)
      }
    }
  }
}
