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
    .quiet{color:var(--muted);font-size:.85rem}.quiet th{font-weight:400}
    .none{color:var(--muted);font-style:italic}
    .objects{columns:14rem;padding-left:1.2rem}
    @media screen and (max-width:40rem){.sides thead{display:none}.sides,.sides tbody,.sides tr{display:block}
    .sides th,.sides td{display:block;width:auto!important;max-width:none;border:0;padding:.1rem 0;
    overflow-wrap:anywhere}
    .sides tr{padding:.4rem 0;border-bottom:1px solid var(--line)}
    .sides td::before{content:attr(data-title)": ";color:var(--muted)}.one td::before{content:none}}
    @media print{.sides del,.sides ins{print-color-adjust:exact;-webkit-print-color-adjust:exact}}

    """
}
