extension StoreReport {
  /// The report as a page: one file in HTML with style and drawings in it, for light and dark
  /// surroundings and for paper.
  ///
  /// It loads nothing from anywhere and has no scripts, which it also tells the browser. The same
  /// report gives the same text each time. Names, of entities for example, are in it; values of objects
  /// are not.
  ///
  /// - Parameter showsValues: whether the values of the metadata are in it; apps may keep secrets there.
  /// - Returns: the text of the page.
  public func html(showsValues: Bool = false) -> String {
    HTMLReport(self, showsValues: showsValues).text
  }
}
