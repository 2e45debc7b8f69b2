internal import CoreDataModel
internal import StoreGenerator

/// A part of the program that reads bytes which it cannot trust, given any bytes at all.
///
/// Whatever the bytes are, it must come to an end with a result or with an error that has a code, and
/// the laws that its body names must hold. A trap, an endless run and a ``BrokenLaw`` are findings.
///
/// The same bytes always do the same, whatever ran before, so that a finding can be repeated from its
/// file alone.
package struct FuzzTarget: Sendable {
  /// Changes an input with knowledge of its form; it may throw where the input is not of that form.
  typealias Change = @Sendable (inout [UInt8], inout SeededGenerator) throws -> Void

  /// The name, for commands and file names.
  package let name: String
  /// The input and the law, in a line.
  package let about: String
  /// The maximum number of bytes of an input.
  package let maximumSize: Int
  /// Words of the form, which a mutation inserts.
  package let words: [String]

  let makeSeeds: @Sendable () throws -> [[UInt8]]
  let change: Change?
  let body: @Sendable ([UInt8]) throws -> Void

  init(
    _ name: String, _ about: String, maximumSize: Int = 1 << 16, words: [String] = [],
    seeds: @escaping @Sendable () throws -> [[UInt8]], change: Change? = nil,
    body: @escaping @Sendable ([UInt8]) throws -> Void
  ) {
    self.name = name
    self.about = about
    self.maximumSize = maximumSize
    self.words = words
    makeSeeds = seeds
    self.change = change
    self.body = body
  }

  /// All targets.
  package static let all: [FuzzTarget] = [
    values, json, lines, documents, index, deflate, zstd, tar, archive, propertyList,
    xmlPropertyList,
    model, cachedModel, design, sql, databaseHeaders, pages, companions, age, importing, store,
    changes, s3Answers, awsProfiles,
  ]

  /// The target of a name, ``selfTest`` among them, or nil.
  package static func named(_ name: String) -> FuzzTarget? {
    (all + [selfTest]).first { $0.name == name }
  }

  /// The inputs to begin with: sound ones, and some that are known to be hard.
  ///
  /// - Throws: what goes wrong while they are made.
  package func seeds() throws -> [[UInt8]] { try FuzzFolder.use(makeSeeds) }

  /// Gives the bytes to the part.
  ///
  /// - Throws: ``BrokenLaw``; an error without a code is one too.
  package func run(_ input: [UInt8]) throws(BrokenLaw) {
    do {
      try FuzzFolder.use { try body(input) }
    } catch let law as BrokenLaw {
      throw law
    } catch is CofferError {
      // Refused, with a code and a reason.
    } catch {
      throw BrokenLaw("an error without a code: \(error)")
    }
  }
}
