internal import CofferCore

/// All fixers of objects, in the order in which they work.
enum FixerList {
  /// Their types.
  static var all: [any Fixer.Type] {
    [
      SchemaFixer.self, ValueFixer.self, DefaultFixer.self, ReferenceFixer.self,
      DestinationFixer.self, MismatchFixer.self, InverseFixer.self, PairFixer.self,
      OrderFixer.self, StoredEntityFixer.self, DerivedFixer.self, SpatialFixer.self,
      HistoryFixer.self, VersionFixer.self, NumberingFixer.self, ModelCacheFixer.self,
    ]
  }

  /// The turn at which the findings of a code are mended; nil for a code without a fixer.
  ///
  /// What the store lacks comes first, then the app's own fixes: whatever is computed comes behind what
  /// it is computed from.
  static func turn(of code: FindingCode, _ own: [any ObjectFix]) -> Int? {
    let structure = StructureFixer.codes
    return structure.firstIndex(of: code)
      ?? own.firstIndex { $0.code == code }.map { structure.count + $0 }
      ?? all.firstIndex { $0.codes.contains(code) }.map { structure.count + own.count + $0 }
  }
}
