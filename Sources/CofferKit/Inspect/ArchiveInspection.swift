struct ArchiveInspection {
  let path: String
  func result() throws -> Inspection { fatalError() }
}
