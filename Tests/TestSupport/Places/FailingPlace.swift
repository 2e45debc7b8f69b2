package import BackupPlaces
package import CoreDataModel
internal import Synchronization

/// A place whose calls work until a chosen one, which fails, as does each after it: as for a process
/// that is killed, or that loses its connection.
package final class FailingPlace: BackupPlace {
  /// When the chosen call fails.
  package enum Moment: Sendable, CaseIterable {
    /// Nothing was done.
    case before
    /// All was done, but the caller is not informed.
    case after
  }

  private let place: any BackupPlace
  private let failing: Int
  private let moment: Moment
  private let count = Mutex(0)

  /// Creates the wrapper.
  ///
  /// - Parameters:
  ///   - place: where the calls go.
  ///   - failing: the number of the call that fails, from 1; `Int.max` to only count.
  ///   - moment: when it fails.
  package init(_ place: any BackupPlace, atCall failing: Int, _ moment: Moment = .before) {
    self.place = place
    self.failing = failing
    self.moment = moment
  }

  /// The number of calls.
  package var callCount: Int { count.withLock(\.self) }

  package var address: String { place.address }
  package func localPath(of name: String) -> String? { place.localPath(of: name) }

  package func list(_ prefix: String) throws(CofferError) -> [PlacedFile] {
    try call { () throws(CofferError) in try place.list(prefix) }
  }

  package func read(_ name: String, range: Range<UInt64>?) throws(CofferError) -> [UInt8] {
    try call { () throws(CofferError) in try place.read(name, range: range) }
  }

  package func putIfAbsent(_ name: String, from file: String) throws(CofferError) -> Bool {
    try call { () throws(CofferError) in try place.putIfAbsent(name, from: file) }
  }

  package func put(_ name: String, from file: String) throws(CofferError) {
    try call { () throws(CofferError) in try place.put(name, from: file) }
  }

  package func delete(_ name: String) throws(CofferError) {
    try call { () throws(CofferError) in try place.delete(name) }
  }

  private func call<Result>(
    _ body: () throws(CofferError) -> Result
  ) throws(CofferError) -> Result {
    let number = count.withLock { count in
      count += 1
      return count
    }
    if number < failing { return try body() }
    if number == failing, moment == .after { _ = try body() }
    throw CofferError(
      .placeUnreachable, path: address, detail: "call \(number) fails, as the test wants it")
  }
}
