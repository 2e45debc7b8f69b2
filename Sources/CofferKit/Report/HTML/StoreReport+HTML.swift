extension StoreReport {
  /// The report as a page: one HTML file with its styles and drawings, for light and dark
  /// appearance and for paper.
  ///
  /// It loads nothing and has no scripts, and its content security policy forbids both. The same
  /// report always gives the same text. It contains names, such as those of entities, but no values
  /// of objects.
  ///
  /// - Parameter showsValues: whether to include the values of the metadata; apps may keep secrets
  ///   there.
  /// - Returns: the text of the page.
  public func html(showsValues: Bool = false) -> String {
    HTMLReport(self, showsValues: showsValues).text
  }
}
