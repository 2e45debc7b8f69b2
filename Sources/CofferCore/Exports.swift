// An app imports CofferCore and nothing else: the values that its calls take and give are part of it.
@_exported public import CoreDataArchive
@_exported public import CoreDataModel
@_exported public import CoreDataStore
