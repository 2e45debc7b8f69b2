// An app imports CofferKit and nothing else: the values that its calls take and give are part of it.
@_exported public import CofferComparison
@_exported public import CofferCore
@_exported public import CofferDerivation
@_exported public import CofferEditing
@_exported public import CofferReports
@_exported public import CofferTables
@_exported public import CofferVault
@_exported public import CoreDataArchive
@_exported public import CoreDataModel
@_exported public import CoreDataPages
@_exported public import CoreDataStore
