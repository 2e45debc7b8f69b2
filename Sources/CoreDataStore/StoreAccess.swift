/// How a store is read while it is open.
public enum StoreAccess: Sendable, Hashable {
  /// From a private copy, wherever one can be taken in peace.
  ///
  /// Right for an app that uses the same store through Core Data: whatever the app opens while the
  /// store is being read, the two do not meet.
  case copy
  /// In place if that changes nothing; otherwise from a private copy.
  ///
  /// Faster, and right for a program that does nothing else with the store. In an app, a Core Data
  /// stack that is loaded while the store is being read could not write to it.
  case inPlace
}
