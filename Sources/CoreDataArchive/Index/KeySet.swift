internal import CoreDataModel

/// The keys of one object, to find those that come twice.
///
/// Most objects have few keys, for which a list is enough.
struct KeySet {
  private static let largestList = 16

  private var list: [ExactString] = []
  private var set: Set<ExactString> = []

  /// Adds a key; false if it is already there.
  mutating func insert(_ text: String) -> Bool {
    let key = ExactString(text)
    if set.isEmpty {
      if list.contains(key) { return false }
      list.append(key)
      if list.count > Self.largestList { set = Set(list) }
      return true
    }
    return set.insert(key).inserted
  }
}
