/// The rules that the page of a comparison has besides those of a report.
///
/// Their colors come from the palettes of ``HTMLStyle``. What was removed is also struck through, and
/// what was added underlined, for people who do not see colors.
enum DifferenceStyle {
  static let text = """
    .sides{table-layout:fixed}.sides th:first-child{width:22%}
    .sides td{white-space:pre-wrap}
    .sides del{color:var(--error);text-decoration:line-through}
    .sides ins{color:var(--good);text-decoration:underline}
    .none{color:var(--muted);font-style:italic}
    .objects{columns:14rem;padding-left:1.2rem}
    @media print{.sides del,.sides ins{print-color-adjust:exact;-webkit-print-color-adjust:exact}}

    """
}
