internal import CofferKit
internal import CoreDataModel

/// An XML store as Core Data would write it, and its model.
enum XMLStoreSample {
  /// Notes in folders, in their order; a big note is a note.
  static let model = ManagedObjectModel(
    entities: [
      EntityDescription(
        name: "Note", className: "Note",
        attributes: [
          AttributeDescription(name: "createdAt", type: .date),
          AttributeDescription(name: "cover", type: .binary),
          AttributeDescription(name: "isPinned", type: .boolean),
          AttributeDescription(name: "rating", type: .double),
          AttributeDescription(name: "title", type: .string),
        ],
        relationships: [
          RelationshipDescription(name: "folder", destinationName: "Folder", inverseName: "notes")
        ]),
      EntityDescription(
        name: "BigNote", className: "BigNote", superentityName: "Note",
        attributes: [
          AttributeDescription(name: "pages", type: .integer32),
          AttributeDescription(name: "price", type: .decimal),
          AttributeDescription(name: "token", type: .uuid),
        ]),
      EntityDescription(
        name: "Folder", className: "Folder",
        attributes: [AttributeDescription(name: "name", type: .string)],
        relationships: [
          RelationshipDescription(
            name: "notes", destinationName: "Note", inverseName: "folder", maxCount: 0,
            isOrdered: true)
        ]),
    ], versionIdentifiers: [""], source: .modelCache)

  static let head = """
    <?xml version="1.0" standalone="no"?>
    <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">

    """

  static let uuid = "6378045F-BB7F-4538-957F-4869F0F60E71"

  static let info = """
        <databaseInfo>
            <version>134481920</version>
            <UUID>\(uuid)</UUID>
            <nextObjectID>105</nextObjectID>
            <metadata>
                <plist version="1.0">
                    <dict>
                        <key>NSPersistenceFrameworkVersion</key>
                        <integer>640</integer>
                        <key>theme</key>
                        <string>dark</string>
                    </dict>
                </plist>
            </metadata>
        </databaseInfo>

    """

  static let objects = """
        <object type="FOLDER" id="z104">
            <attribute name="name" type="string">A &lt;&amp;&gt; B</attribute>
            <relationship name="notes" type="0/0" destination="NOTE" idrefs="z103 z102"></relationship>
        </object>
        <object type="NOTE" id="z102">
            <attribute name="cover" type="binary">AQID
    BAU=
    </attribute>
            <attribute name="createdat" type="date">123456789.12500000000000000000</attribute>
            <attribute name="ispinned" type="bool">1</attribute>
            <attribute name="rating" type="double">nan</attribute>
            <attribute name="title" type="string"> two  spaces </attribute>
            <relationship name="folder" type="1/1" destination="FOLDER" idrefs="z104"></relationship>
        </object>
        <object type="BIGNOTE" id="z103">
            <attribute name="pages" type="int32">7</attribute>
            <attribute name="price" type="decimal">12.5</attribute>
            <attribute name="token" type="UUID">E621E1F8-C36C-495A-93FC-0C247A3E6E5F</attribute>
            <relationship name="folder" type="1/1" destination="FOLDER" idrefs="z104"></relationship>
        </object>

    """

  static let text = head + "<database>\n" + info + objects + "</database>\n"

  /// A whole store with other objects.
  static func store(_ objects: String) -> [UInt8] {
    Array((head + "<database>\n" + info + objects + "</database>\n").utf8)
  }
}
