package import BackupPlaces
package import CoreDataModel
internal import Synchronization

/// A place with an action before a call, which simulates other writers of a vault.
package final class InterposedPlace: BackupPlace {
  /// A call that is about to be made.
  package struct Call: Sendable {
    /// What is called.
    package enum Kind: Sendable { case list, read, putIfAbsent, put, delete }

    /// What is called.
    package var kind: Kind
    /// The number of the call, from 1, since ``InterposedPlace/interpose(_:)``.
    package var number: Int
    /// Its number among calls of its kind.
    package var numberOfKind: Int
  }

  /// What happens before a call.
  package typealias Deed = @Sendable (Call) throws(CofferError) -> Void

  private struct State {
    var deed: Deed?
    var kinds: [Call.Kind] = []
  }

  private let place: any BackupPlace
  private let state = Mutex(State())

  /// Creates the wrapper, in which nothing happens yet.
  package init(_ place: any BackupPlace) { self.place = place }

  /// Lets something happen before each call from now on, and restarts the count of calls.
  package func interpose(_ deed: @escaping Deed) { state.withLock { $0 = State(deed: deed) } }

  /// How many calls were made since ``interpose(_:)``.
  package var callCount: Int { state.withLock { $0.kinds.count } }

  package var address: String { place.address }
  package func localPath(of name: String) -> String? { place.localPath(of: name) }

  package func list(_ prefix: String) throws(CofferError) -> [PlacedFile] {
    try happen(before: .list)
    return try place.list(prefix)
  }

  package func read(_ name: String, range: Range<UInt64>?) throws(CofferError) -> [UInt8] {
    try happen(before: .read)
    return try place.read(name, range: range)
  }

  package func putIfAbsent(_ name: String, from file: String) throws(CofferError) -> Bool {
    try happen(before: .putIfAbsent)
    return try place.putIfAbsent(name, from: file)
  }

  package func put(_ name: String, from file: String) throws(CofferError) {
    try happen(before: .put)
    try place.put(name, from: file)
  }

  package func delete(_ name: String) throws(CofferError) {
    try happen(before: .delete)
    try place.delete(name)
  }

  private func happen(before kind: Call.Kind) throws(CofferError) {
    let (deed, call) = state.withLock { state in
      state.kinds.append(kind)
      let call = Call(
        kind: kind, number: state.kinds.count, numberOfKind: state.kinds.count { $0 == kind })
      return (state.deed, call)
    }
    try deed?(call)
  }
}
