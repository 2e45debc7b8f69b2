/// What a line of changes does with its row, by the word in the line.
enum ChangeWord: String {
  case insert, delete, update
}
