public import CofferCore
public import CoreDataModel

/// Everything that a report shows about a store or an archive: its inspection, and facts that only
/// the rows show.
///
/// Plain values without a layout; ``html(showsValues:)`` is one way to show them. If not all rows
/// could be read, the page says why, and the figures cover the rows before that.
public struct StoreReport: Sendable {
  /// The model, counts, metadata and settings.
  public var inspection: Inspection
  /// The version hash of each entity by name, in hexadecimal digits; empty if unknown.
  public var versionHashes: [Name: String]
  /// The entities and the size of their objects, in the order of the inspection.
  package var entities: [EntitySize]
  /// The attributes and the size of their values, in the order of the tables and columns.
  package var attributes: [AttributeSize]
  /// The use of the bytes of the file, largest part first; empty if unknown.
  package var parts: [StoragePart]
  /// The last transaction of the persistent history; nil if there is none, or its changes are not known.
  package var lastTransaction: LastTransaction?
  /// The latest value of the date attributes whose names suggest the time of a change; nil without any.
  package var latestDate: LatestDate?
  /// The files of external binary data, and the values that can be in them.
  package var externalData: ExternalDataReport
  /// The attributes that are probably meant to identify objects but have repeated values, sorted by
  /// their number of objects.
  package var repeatedKeys: [RepeatedKey]
  /// The findings of the verifier.
  package var findings: FindingReport
  /// The bundle identifier of the program that wrote the last transaction of the history; nil if it is
  /// unknown.
  public var lastWriter: String?

  /// The attributes without any values, in the order of the tables and columns; nil if not all rows
  /// could be read.
  package var unsetAttributes: [AttributeSize]? {
    findings.problem == nil ? attributes.filter(\.isNeverSet) : nil
  }

  /// The size of the values of all objects in bytes.
  public var valueByteCount: Int {
    entities.reduce(0) { $0.addingReportingOverflow($1.byteCount).partialValue }
  }
}

/// The last transaction of a persistent history.
package struct LastTransaction: Sendable, Equatable {
  /// The changes to the objects of an entity.
  package struct EntityChanges: Sendable, Equatable {
    /// The name of the entity.
    package var name: Name
    /// The number of insertions.
    package var insertionCount: Int
    /// The number of updates.
    package var updateCount: Int
    /// The number of deletions.
    package var deletionCount: Int

    /// The number of changes.
    package var count: Int { insertionCount + updateCount + deletionCount }
  }

  /// Its time as ISO 8601 text in UTC; nil if it has none.
  package var date: String?
  /// The changes of each entity, most first.
  package var entities: [EntityChanges]
}

/// The latest value of a date attribute.
package struct LatestDate: Sendable, Equatable {
  /// The declaring entity.
  package var entityName: Name
  /// The name; for an element of a composite attribute, with the names of the enclosing ones before
  /// dots.
  package var name: Name
  /// The day in UTC, such as `2024-05-01`.
  package var day: String
}

/// The findings of the verifier, by code.
package struct FindingReport: Sendable {
  /// The findings of one code.
  package struct Group: Sendable {
    /// The code with its explanations.
    package var code: FindingCode
    /// The number of findings.
    package var count: Int
    /// The first findings, at most ``StoreReporter/exampleLimit``.
    package var examples: [Finding]
  }

  /// The codes of the findings, worst first, then by number of findings.
  package var groups: [Group]
  /// The checks that ran, in their order.
  package var checks: [CheckName]
  /// The checks that could not run, in their order.
  package var checksNotRun: [CheckName]
  /// The reason why not all rows could be read; nil if they could.
  package var problem: String?

  /// The number of findings.
  package var count: Int { groups.reduce(0) { $0 + $1.count } }

  /// The number of findings of a severity.
  package func count(of severity: FindingSeverity) -> Int {
    groups.reduce(0) { $1.code.severity == severity ? $0 + $1.count : $0 }
  }

  func count(of code: FindingCode) -> Int { groups.first { $0.code == code }?.count ?? 0 }
}
