internal import Synchronization

/// The places where this process could leave files if it ended without order.
///
/// Where memory runs out, a process can neither wait for a lock nor take memory to remove its files. It becomes a
/// new process of the same program instead, which has memory again: the places are its arguments.
package enum LeftoverPlaces {
  /// A place.
  package struct Place: Sendable, Equatable {
    /// The kind of leftovers.
    package enum Kind: String, Sendable {
      /// Files whose names begin with the name of the place.
      case files
      /// Folders whose names begin with the name of the place.
      case folders
      /// The hidden folder where a store with the name was built.
      case store
    }

    /// The kind of leftovers.
    package let kind: Kind
    /// The folder.
    package let folder: String
    /// The beginning of the names, or the name of the store.
    package let name: String

    /// Names a place.
    package init(kind: Kind, folder: String, name: String) {
      (self.kind, self.folder, self.name) = (kind, folder, name)
    }
  }

  /// The name from which the new process knows its task.
  private static let programName = "coffer-leftovers"
  /// The number of places that are kept.
  private static let limit = 64
  /// The arguments of the new process, as an address that a signal handler can load; 0 if none are kept.
  private static let arguments = Atomic<UInt>(0)
  private static let kept = Mutex<[Place]>([])

  /// Keeps all places that are used from now on.
  package static func keep() {
    typealias Word = UnsafeMutablePointer<CChar>?
    let words = UnsafeMutablePointer<Word>.allocate(capacity: limit * 3 + 3)
    unsafe words.initialize(repeating: nil, count: limit * 3 + 3)
    unsafe words[0] = strdup(programName)
    // The path of the program follows the end of the arguments.
    unsafe words[limit * 3 + 2] = strdup(ChildProcess.ownProgram)
    arguments.store(UInt(bitPattern: words), ordering: .releasing)
  }

  /// Keeps a place.
  package static func add(_ place: Place) {
    guard let words = unsafe words() else { return }
    kept.withLock { kept in
      guard kept.count < limit, !kept.contains(place) else { return }
      let start = 1 + kept.count * 3
      guard let kind = unsafe strdup(place.kind.rawValue), let folder = unsafe strdup(place.folder),
        let name = unsafe strdup(place.name)
      else { return }
      // The first word last: a handler sees all three or the end.
      unsafe words[start + 2] = name
      unsafe words[start + 1] = folder
      unsafe words[start] = kind
      kept.append(place)
    }
  }

  /// Becomes a new process of the program, which removes leftovers; returns if that is impossible or there
  /// are none.
  ///
  /// This only calls what a signal handler may call.
  package static func becomeRemover() {
    guard let words = unsafe words(), unsafe words[1] != nil,
      let program = unsafe words[limit * 3 + 2]
    else { return }
    _ = unsafe execv(program, words)
  }

  private static func words() -> UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? {
    unsafe UnsafeMutablePointer(bitPattern: arguments.load(ordering: .acquiring))
  }

  /// The places of the process that has become this one; nil if it began in another way.
  package static func places(in arguments: [String]) -> [Place]? {
    guard arguments.first == programName else { return nil }
    return stride(from: 1, to: arguments.count - 2, by: 3).compactMap { index in
      Place.Kind(rawValue: arguments[index]).map {
        Place(kind: $0, folder: arguments[index + 1], name: arguments[index + 2])
      }
    }
  }
}
