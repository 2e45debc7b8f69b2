/// All fixers, in the order in which they work: what is computed comes behind what it is computed from.
enum FixerList {
  /// Their types.
  static var all: [any Fixer.Type] {
    [
      ReferenceFixer.self, MismatchFixer.self, InverseFixer.self, PairFixer.self, OrderFixer.self,
      StoredEntityFixer.self, DerivedFixer.self, SpatialFixer.self, VersionFixer.self,
      NumberingFixer.self,
    ]
  }
}
