import CofferKit

/// Checks that no item was changed before it was made.
public struct ItemsChangeAfterTheyAreMade: ObjectCheck {
  public let entityName: Name = "ItemEntity"
  public let propertyNames: [Name] = ["createdAt", "modifiedAt"]

  public init() {}

  public func findings(about item: borrowing CheckedObject) -> [Finding] {
    guard let made = item.number("createdAt"), let changed = item.number("modifiedAt"),
      changed < made
    else { return [] }
    return [Finding(.changedBeforeItWasMade, objectID: item.id, propertyName: "modifiedAt")]
  }
}

extension FindingCode {
  public static let changedBeforeItWasMade = FindingCode(
    own: "changed-before-it-was-made", severity: .warning,
    meaning: "the item was changed before it was made",
    cause: "An import from a device whose clock was wrong.",
    remedy: "Set the change date to the creation date.")
}

/// Sets the change date of items that were changed before they were made to their creation date.
public struct ChangeItemsWhenTheyAreMade: ObjectFix {
  public let code = FindingCode.changedBeforeItWasMade

  public init() {}

  public func fix(_ finding: Finding, of item: RepairedObject) throws -> String? {
    guard let made = try item.number("createdAt") else { return nil }
    try item.set("modifiedAt", to: .date(made))
    return "set the change date to the creation date"
  }
}
