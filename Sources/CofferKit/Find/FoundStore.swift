/// A store that a search found.
public struct FoundStore: Sendable, Equatable {
  /// The path, which begins with that of the searched folder.
  public var path: String
  /// The original place of a store in a device backup: the domain and path, such as
  /// `AppDomain-com.example.trips/Documents/Trips.sqlite`; nil elsewhere.
  public var devicePath: String?
  /// The size of the database, with its write-ahead log applied, and its external files: the sum of
  /// both sizes of an ``Inspection``.
  ///
  /// If the store could not be opened, the size of the files.
  public var byteCount: Int
  /// The time of the last change, in seconds since 1970; nil if it is unknown.
  public var modified: Double?
  /// The UUID of the store; nil if it has none or could not be opened.
  public var storeUUID: String?
  /// The version of the framework that last wrote the store; nil if it is unknown.
  public var frameworkVersion: Int64?
  /// The systems with that version.
  public var frameworkEra: String?
  /// The names of the entities, in ascending order.
  public var entityNames: [String]
  /// The number of objects; 0 if the store could not be opened.
  public var objectCount: Int
  /// The reason why the store could not be opened; nil if it could.
  public var problem: String?
}
