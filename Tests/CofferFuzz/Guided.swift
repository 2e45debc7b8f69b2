#if LIBFUZZER
  internal import CFuzzer
  internal import Foundation
  internal import Fuzzing
  internal import StoreGenerator

  /// A campaign that libFuzzer guides by what code an input reaches.
  enum Guided {
    /// The campaign whose inputs are run; set once before the first.
    nonisolated(unsafe) private static var campaign: FuzzCampaign?

    /// Runs `coffer-fuzz --guided TARGET` with arguments of libFuzzer behind it.
    static func run() throws -> Int32 {
      let given = CommandLine.arguments
      guard let target = FuzzTarget.named(given[2]) else {
        throw Arguments.Failure.usage("no target \(given[2])")
      }
      unsafe campaign = try FuzzCampaign(target, seed: 1)
      let arguments = ["coffer-fuzz", "-max_len=\(target.maximumSize)"] + given.dropFirst(3)
      var pointers = unsafe arguments.map { unsafe strdup($0) }
      var count = Int32(clamping: arguments.count)
      unsafe pointers.append(nil)
      return unsafe pointers.withUnsafeMutableBufferPointer { buffer in
        var start = buffer.baseAddress
        return unsafe LLVMFuzzerRunDriver(&count, &start) { data, size in
          unsafe Guided.test(UnsafeRawBufferPointer(start: data, count: size))
          return 0
        }
      }
    }

    private static func test(_ bytes: UnsafeRawBufferPointer) {
      guard let campaign = unsafe campaign else { return }
      do throws(BrokenLaw) {
        try campaign.target.run(unsafe Array(bytes))
      } catch {
        fatalError("\(campaign.target.name): \(error)")
      }
    }

    /// Changes an input with knowledge of its form.
    static func mutate(_ bytes: UnsafeMutableRawBufferPointer, size: Int, seed: UInt32) -> Int? {
      var random = SeededGenerator(seed: UInt64(seed))
      guard let campaign = unsafe campaign, random.chance(0.4) else { return nil }
      var changed = unsafe Array(bytes.prefix(size))
      campaign.mutate(&changed, &random)
      guard changed.count <= bytes.count else { return nil }
      unsafe bytes.copyBytes(from: changed)
      return changed.count
    }
  }

  /// Called by libFuzzer for a new input.
  @_cdecl("LLVMFuzzerCustomMutator")
  func customMutator(
    _ data: UnsafeMutablePointer<UInt8>, _ size: Int, _ most: Int, _ seed: UInt32
  ) -> Int {
    let bytes = unsafe UnsafeMutableRawBufferPointer(start: data, count: most)
    return unsafe Guided.mutate(bytes, size: size, seed: seed)
      ?? Int(clamping: LLVMFuzzerMutate(data, size, most))
  }
#endif
