/// All checks, in the order in which they run.
enum CheckList {
  static var all: [any Check.Type] {
    [
      SQLiteCheck.self,
      MetadataCheck.self,
      VersionHashCheck.self,
      ModelCacheCheck.self,
      EntityNumberCheck.self,
      SchemaCheck.self,
      ModelCheck.self,
      CounterCheck.self,
      EntityCheck.self,
      VersionCheck.self,
      ReferenceCheck.self,
      PairCheck.self,
      InverseCheck.self,
      OrderCheck.self,
      RequiredCheck.self,
      CardinalityCheck.self,
      UniquenessCheck.self,
      ValueCheck.self,
      ValidationCheck.self,
      ExternalDataCheck.self,
      HistoryCheck.self,
      DerivedCheck.self,
      SpatialIndexCheck.self,
      CustomChecks.self,
    ]
  }
}
