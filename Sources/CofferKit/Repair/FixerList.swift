/// All fixers, in the order in which they work: what is computed comes behind what it is computed from.
enum FixerList {
  /// Their types.
  static var all: [any Fixer.Type] {
    [
      SchemaFixer.self, ValueFixer.self, DefaultFixer.self, ReferenceFixer.self,
      DestinationFixer.self, MismatchFixer.self, InverseFixer.self, PairFixer.self,
      OrderFixer.self, StoredEntityFixer.self, DerivedFixer.self, SpatialFixer.self,
      HistoryFixer.self, VersionFixer.self, NumberingFixer.self,
    ]
  }
}
