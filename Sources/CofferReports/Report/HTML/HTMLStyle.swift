/// The style sheet of a report.
///
/// The colors of the page are the custom properties of two palettes, which the contrast test reads
/// from here.
enum HTMLStyle {
  /// The whole sheet.
  static let text =
    palettes + page + header + contents + tables + model + findings
    + VectorStyle.text(within: ".diagram") + adaptation

  private static let palettes = """
    :root{color-scheme:light dark;--ground:#ffffff;--surface:#f6f8fa;--text:#1f2328;--muted:#59636e;
    --line:#d1d9e0;--accent:#0550ae;--bar:#3b82d0;--track:#e7edf3;--error:#b3261e;--warning:#7d4e00;
    --info:#0550ae;--good:#116329;--shade:#1f232840}
    @media screen and (prefers-color-scheme:dark){:root{--ground:#0d1117;--surface:#161b22;
    --text:#e6edf3;--muted:#9da7b3;--line:#30363d;--accent:#79c0ff;--bar:#4493f8;--track:#21262d;
    --error:#ff9492;--warning:#e3b341;--info:#79c0ff;--good:#56d364;--shade:#e6edf340}}

    """

  private static let page = """
    *{box-sizing:border-box}
    html{font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;
    background:var(--ground);color:var(--text);-webkit-text-size-adjust:100%}
    body{margin:0 auto;padding:2.5rem 1.5rem 4rem;max-width:70rem;overflow-wrap:anywhere}
    h1{font-size:2rem;line-height:1.2;margin:0 0 1.5rem;letter-spacing:-.015em}
    h2{font-size:1.4rem;line-height:1.25;margin:0 0 .25rem;letter-spacing:-.01em}
    h3{font-size:1.05rem;margin:2rem 0 .5rem}
    p{margin:.25rem 0 1rem;max-width:46rem}
    a{color:var(--accent)}
    [hidden]{display:none!important}
    main>section+section{border-top:1px solid var(--line);margin-top:3rem}
    main>section{padding-top:1.75rem}
    main>section,h3[id],article{scroll-margin-top:3.5rem}
    .lead{color:var(--muted)}
    .hidden{position:absolute;width:1px;height:1px;margin:-1px;overflow:hidden;clip-path:inset(50%);
    white-space:nowrap}
    .skip{position:absolute;left:1rem;top:-4rem;padding:.5rem 1rem;background:var(--ground);
    border:2px solid var(--accent);border-radius:6px;z-index:1}
    .skip:focus{top:1rem}
    :focus-visible{outline:3px solid var(--accent);outline-offset:2px;border-radius:3px}
    summary{cursor:pointer;color:var(--accent);width:fit-content}
    details[open]>summary{margin-bottom:.5rem}
    code{font:.92em/1.4 ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace}
    footer{margin-top:4rem;border-top:1px solid var(--line);padding-top:1rem;color:var(--muted);
    font-size:.875rem}

    """

  private static let header = """
    .kind{color:var(--muted);font-size:.9rem;margin:0;font-weight:600;text-transform:uppercase;
    letter-spacing:.06em}
    .tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(10.5rem,1fr));gap:.75rem;margin:0}
    .tiles>div{background:var(--surface);border:1px solid var(--line);border-radius:10px;
    padding:.85rem 1rem .9rem;display:flex;flex-direction:column}
    .tiles dt{color:var(--muted);font-size:.875rem}
    .tiles dd{margin:0;color:var(--muted);font-size:.875rem}
    .tiles dd.figure{font-size:1.65rem;font-weight:650;line-height:1.3;color:var(--text);
    letter-spacing:-.02em;font-variant-numeric:tabular-nums}
    .tiles .linked{position:relative}
    .tiles .linked a{text-decoration:none;color:inherit}
    .tiles .linked a::after{content:"";position:absolute;inset:0;border-radius:10px}
    .tiles .linked:hover{border-color:var(--accent)}
    .tiles .error,.tiles .warning{border-color:var(--severity);border-left-width:5px;
    background:color-mix(in srgb,var(--severity) 9%,var(--ground))}
    .tiles .error .figure,.tiles .warning .figure{color:var(--severity)}
    .health{margin:0;font-size:1.1rem}.health.good strong{color:var(--good)}
    .health.error strong{color:var(--error)}
    header .facts{margin:.5rem 0 1.25rem}
    .glance{margin-top:1.5rem}
    .glance h2{font-size:1.05rem;margin:0 0 .4rem}
    .glance dl{margin:0;display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:0 2.5rem}
    .glance dl>div{display:grid;grid-template-columns:9.5rem 1fr;gap:1rem;padding:.4rem 0;
    border-top:1px solid var(--line)}
    .glance dl>.whole{grid-column:1/-1}
    .glance dt{color:var(--muted)}
    .glance dd{margin:0}
    .facts{display:grid;grid-template-columns:minmax(8rem,max-content) 1fr;gap:.35rem 1.5rem;margin:1rem 0}
    .facts dt{color:var(--muted)}
    .facts dd{margin:0}

    """

  /// The list of sections stays at the top; content wider than its box shows a shadow at the edge.
  private static let contents = """
    nav{position:sticky;top:0;z-index:1;display:flex;align-items:center;gap:.5rem 1.5rem;
    margin:1.75rem -1.5rem 0;padding:.55rem 1.5rem;background:var(--ground);
    border-top:1px solid var(--line);border-bottom:1px solid var(--line)}
    nav ul{display:flex;flex:1;gap:.25rem 1.15rem;list-style:none;margin:0;padding:.2rem 0;
    overflow-x:auto;white-space:nowrap;font-size:.925rem}
    nav a{text-decoration:none}nav a:hover{text-decoration:underline}
    .search{display:flex;align-items:center;gap:.6rem}
    .search input{font:inherit;font-size:.9rem;width:10rem;padding:.2rem .6rem;color:inherit;
    background:var(--surface);border:1px solid var(--muted);border-radius:6px}
    .search output{color:var(--muted);font-size:.85rem;white-space:nowrap}
    .search output:empty{display:none}
    .scroll,.canvas,nav ul{background:
    linear-gradient(to right,var(--ground) 40%,#0000) 0 0/2.5rem 100% no-repeat local,
    linear-gradient(to left,var(--ground) 40%,#0000) 100% 0/2.5rem 100% no-repeat local,
    linear-gradient(to right,var(--shade),#0000) 0 0/.9rem 100% no-repeat scroll,
    linear-gradient(to left,var(--shade),#0000) 100% 0/.9rem 100% no-repeat scroll}

    """

  private static let tables = """
    .scroll{overflow-x:auto;margin:.5rem 0 1.25rem}
    table{border-collapse:collapse;width:100%;font-size:.925rem;line-height:1.4;
    overflow-wrap:break-word}
    caption{text-align:left;font-weight:600;padding:0 0 .4rem}
    th,td{text-align:left;padding:.38rem .75rem .38rem 0;vertical-align:baseline;
    border-bottom:1px solid var(--line)}
    thead th{color:var(--muted);font-weight:600;font-size:.84rem;vertical-align:bottom;line-height:1.3}
    tbody th{font-weight:500;min-width:7rem;max-width:24rem}
    .number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap;width:1%}
    .measure{width:32%;padding-right:1.5rem}
    .measure div{display:grid;grid-template-columns:minmax(5.2em,max-content) minmax(3rem,1fr);gap:.75rem;
    align-items:center}
    .measure span{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
    .measure svg{display:block;width:100%;height:.7rem;background:var(--track);border-radius:2px}
    .measure rect{fill:var(--bar)}

    """

  private static let model = """
    figure{margin:0}
    .note{color:var(--muted);font-size:.875rem}
    .zoom{display:flex;gap:.5rem;align-items:center;margin:.5rem 0;width:fit-content}
    .zoom input{width:1.1rem;height:1.1rem;accent-color:var(--accent)}
    .canvas{border:1px solid var(--line);border-radius:10px;overflow:auto;padding:.5rem;
    margin:.5rem 0 1rem}
    .canvas svg{display:block;max-width:100%;height:auto;margin:auto}
    svg.diagram .ground{fill:none}
    svg.diagram .found rect{stroke:var(--accent);stroke-width:4}
    .zoom.narrow{display:none}
    .zoom:has(:checked)+.canvas{max-height:85vh}
    .zoom:has(:checked)+.canvas svg{max-width:none}
    .clusters{display:flex;flex-wrap:wrap;gap:1.5rem;align-items:flex-start}
    .clusters figure{flex:0 1 auto;min-width:0;max-width:100%}
    figcaption .title{font-weight:600}
    .entity-list>details{border-bottom:1px solid var(--line);padding:.45rem 0}
    .entity-list summary{color:var(--text);width:auto}
    .entity-list summary .title{font-weight:600}
    .entity-list+details{margin-top:.6rem}
    .names{margin:.5rem 0 1rem;padding:0;list-style:none;display:flex;flex-wrap:wrap;gap:.15rem 1rem;
    max-width:none}
    .hash{color:var(--muted);font-size:.85rem}

    """

  private static let findings = """
    .finding{border:1px solid var(--line);border-left:5px solid var(--severity);border-radius:8px;
    padding:1rem 1.25rem .75rem;margin:1rem 0;background:var(--surface)}
    .finding h3{margin:0 0 .35rem;display:flex;flex-wrap:wrap;gap:.1rem .75rem;align-items:baseline}
    .finding .count{margin-left:auto;color:var(--muted);font-weight:500;font-size:.925rem;
    font-variant-numeric:tabular-nums}
    .finding dl{margin:.5rem 0}
    .finding p{margin:.1rem 0 .5rem}
    .finding ul{margin:.25rem 0 .5rem;padding-left:1.2rem}
    .error{--severity:var(--error)}.warning{--severity:var(--warning)}.info{--severity:var(--info)}
    .badge{color:var(--severity);font-size:.8rem;font-weight:700;text-transform:uppercase;
    letter-spacing:.04em}
    .problem{border:2px solid var(--error);border-radius:8px;padding:.75rem 1rem}
    .good{color:var(--good);font-weight:600}

    """

  private static let adaptation = """
    @media screen and (max-width:40rem){body{padding:1.25rem 1rem 3rem}h1{font-size:1.6rem}
    .facts{grid-template-columns:1fr;gap:0}.facts dd{margin-bottom:.6rem}
    .tiles{grid-template-columns:repeat(auto-fit,minmax(8.5rem,1fr))}
    .scroll{overflow:visible;background:none}
    table{font-size:.9rem}
    .stacked thead{display:none}.stacked,.stacked caption,.stacked tbody{display:block}
    .stacked tr{display:block;padding:.4rem 0;border-bottom:1px solid var(--line)}
    .stacked th,.stacked td{display:block;width:auto;max-width:none;border:0;padding:.1rem 0;text-align:left;
    white-space:normal;overflow-wrap:anywhere}
    .stacked tbody th{font-weight:600}
    .stacked td:empty{display:none}
    .stacked td::before{content:attr(data-title)": ";color:var(--muted)}
    .stacked .measure div{display:inline-grid;grid-template-columns:max-content 5rem;width:auto}
    .stacked .measure svg{height:.5rem}
    .glance dl{grid-template-columns:1fr}.glance dl>div{grid-template-columns:1fr;gap:0}
    nav{position:static;flex-wrap:wrap;margin:1.5rem -1rem 0;padding:.4rem 1rem}
    nav ul{flex:1 0 100%;flex-wrap:wrap;white-space:normal;overflow:visible;background:none}
    .search{flex:1}.search input{flex:1;width:auto;min-width:0;font-size:1rem}
    main>section,h3[id],article{scroll-margin-top:1rem}
    .canvas{max-height:85vh}.zoom.narrow{display:flex}
    .finding .count{margin-left:0;width:100%}}
    @media (forced-colors:active){.measure rect{fill:CanvasText}
    .measure svg{background:Canvas;border:1px solid CanvasText}}
    @media print{@page{margin:1.6cm}html{font-size:10.5pt}body{max-width:none;padding:0}
    nav,.skip,.zoom{display:none}a{color:inherit;text-decoration:none}
    .scroll,.canvas{overflow:visible;max-height:none!important}
    .canvas{border:0;padding:0}.canvas svg{max-width:100%!important;max-height:23cm;width:auto}
    details::details-content{content-visibility:visible!important;display:block!important;
    height:auto!important}
    details>summary{color:inherit;list-style:none}
    main{break-before:page}
    main>section{margin-top:1.5rem;padding-top:1rem}
    main>section:first-child{margin-top:0;padding-top:0}
    h2,h3,caption,figcaption,summary,thead,.lead,.finding h3{break-after:avoid}
    .scroll,thead+tbody>tr:first-child{break-before:avoid}
    thead{display:table-header-group}
    tr,figure,.finding,.tiles>div,.glance dl>div{break-inside:avoid}
    .scroll,.canvas{background:none}.clusters{display:block}
    .measure svg,.measure rect,.finding{print-color-adjust:exact;-webkit-print-color-adjust:exact}
    .glance dl{grid-template-columns:1fr}.tiles dd.figure{font-size:1.35rem}
    .tiles{grid-template-columns:repeat(5,1fr)}}

    """
}
