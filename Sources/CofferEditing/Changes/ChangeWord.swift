/// What a line of changes does with its row, by the word in the line.
package enum ChangeWord: String {
  case insert, delete, update
  /// A whole row takes the place of one of which only the key is known.
  case replace
}
