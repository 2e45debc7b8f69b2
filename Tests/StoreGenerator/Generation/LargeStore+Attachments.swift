internal import CoreDataModel

extension LargeStore {
  /// What is added to the size of a value that is kept in a file.
  private static let leastExternalSize = 8192

  /// The attachments: runs of one to four belong to one item, in the order of their keys.
  func writeAttachments() throws {
    let insert = try TableInsert(builder, "AttachmentEntity")
    func parameter(_ path: Name) throws -> Int { try insert.parameter("AttachmentEntity", path) }
    let item = try parameter("item")
    let itemEntity = try insert.entityParameter("AttachmentEntity", "item")
    let order = try insert.orderParameter("AttachmentEntity", "item")
    let fileName = try parameter("fileName")
    let size = try parameter("size")
    let uuidParameter = try parameter("uuid")
    let checksum = try parameter("checksum")
    let content = try parameter("content")
    let value = Scratch(capacity: options.blobs == .heavy ? 2_000_001 : 20_001)
    var current = 1
    var position = 0
    for key in 1...counts.attachments {
      let statement = insert.statement
      insert.bind(key: key, entity: 1, version: version())
      // Some belong to no item.
      if current <= counts.items, random.below(40) > 0 {
        statement.bind(current, at: item)
        statement.bind(kind(ofItem: current), at: itemEntity)
        statement.bind(2048 + 1024 * position, at: order)
      }
      makeFileName()
      unsafe statement.bind(lentText: scratch.value, at: fileName)
      uuid.makeUUID(&random)
      unsafe statement.bind(lentBlob: uuid.value, at: uuidParameter)
      unsafe statement.bind(lentBlob: blobs.take(20, &random), at: checksum)
      statement.bind(try bindContent(statement, content, key, value), at: size)
      try statement.run()
      position += 1
      // The model allows an item so many.
      if position == 20 || random.below(5) < 2 {
        current += 1 + random.below(14)
        position = 0
      }
    }
  }

  /// Binds the content, if there is to be one, and returns its size.
  private func bindContent(
    _ statement: GeneratorStatement, _ parameter: Int, _ key: Int, _ value: Scratch
  ) throws -> Int {
    let isExternal =
      options.blobs != .none && key % 3 == 0 && externalCount < options.externalCount
    guard
      isExternal || options.blobs == .heavy || (options.blobs == .normal && random.below(12) == 0)
    else { return random.below(100_000) }
    let size = blobLengths.take(&random)
    if isExternal {
      let bytes = unsafe blobs.take(size + Self.leastExternalSize, &random)
      externalCount += 1
      let name = random.uuidText()
      statement.bind(
        try builder.writeExternalFile(named: name, unsafe Array(bytes)), at: parameter)
      return bytes.count
    }
    // The mark of a value that is in the row, and the value.
    value.begin()
    value.append(byte: 1)
    unsafe value.append(blobs.take(size, &random))
    unsafe statement.bind(lentBlob: value.value, at: parameter)
    return size
  }

  private func makeFileName() {
    let endings: [StaticString] = [".jpg", ".png", ".pdf", ".txt", ".m4a", ".mp4"]
    scratch.begin()
    if random.below(5) < 3 {
      scratch.append("IMG_")
      scratch.append(1000 + random.below(9000))
    } else {
      unsafe scratch.append(text.take(12 + random.below(30), &random))
    }
    scratch.append(endings[random.below(endings.count)])
  }
}
