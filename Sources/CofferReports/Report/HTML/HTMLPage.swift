internal import Crypto
internal import Foundation

/// The frame of a page: one file that loads nothing, runs nothing but its search box, and prints well.
struct HTMLPage {
  var title: String
  /// The kind of page, above the heading.
  var kind: String
  var style: String
  var sections: [any HTMLSection]

  /// The last line.
  private static let note =
    "Made by coffer. This page loads nothing; its only script searches it. Times are in UTC."

  func text(heading: (inout HTMLText) -> Void) -> String {
    var page = HTMLText()
    page.markup("<!DOCTYPE html>\n")
    page.element("html", ["lang": "en"]) { page in
      page.line()
      page.element("head") { head(&$0) }
      page.line()
      page.element("body") { body(heading, &$0) }
      page.line()
    }
    page.line()
    return page.text
  }

  private func head(_ page: inout HTMLText) {
    page.markup("<meta charset=\"utf-8\">\n")
    // Nothing can be loaded and nothing else can run, whatever a store contains.
    page.open(
      "meta",
      [
        "http-equiv": "Content-Security-Policy",
        "content":
          "default-src 'none'; style-src 'unsafe-inline'; script-src \(PageScript.source); "
          + "base-uri 'none'; form-action 'none'",
      ])
    page.line()
    page.open("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"])
    page.open("meta", ["name": "referrer", "content": "no-referrer"])
    page.open("meta", ["name": "color-scheme", "content": "light dark"])
    page.line()
    page.element("title", text: title)
    page.line()
    page.element("style") { $0.markup("\n" + style) }
  }

  private func body(_ heading: (inout HTMLText) -> Void, _ page: inout HTMLText) {
    page.element("a", ["class": "skip", "href": "#content"], text: "Skip to the content")
    page.element("header") { page in
      page.element("p", ["class": "kind"], text: kind)
      heading(&page)
    }
    page.line()
    contents(&page)
    page.line()
    page.element("main", ["id": "content", "tabindex": "-1"]) { page in
      for section in sections {
        page.line()
        let identifier = section.identifier
        page.element("section", ["id": identifier, "aria-labelledby": "\(identifier)-title"]) {
          page in
          page.element("h2", ["id": "\(identifier)-title"], text: section.title)
          section.write(to: &page)
        }
      }
    }
    page.line()
    page.element("footer") { $0.element("p", text: Self.note) }
    page.line()
    PageScript.write(to: &page)
  }

  /// The list of sections and the search box, which stay visible.
  private func contents(_ page: inout HTMLText) {
    page.element("nav", ["aria-label": "Sections"]) { page in
      page.element("ul") { page in
        for section in sections {
          page.element("li") { page in
            page.element("a", ["href": "#\(section.identifier)"], text: section.title)
          }
        }
      }
      PageScript.writeBox(to: &page)
    }
  }
}

/// The one script of a page: the search box in its contents.
///
/// It hides rows, entities, findings and charts that do not contain a text, marks entities in drawings,
/// and unfolds the rest. Without it, the page only lacks the box.
enum PageScript {
  static let text = """
    {
    const all = (selector, root = document) => [...root.querySelectorAll(selector)];
    const bar = document.querySelector('.search');
    const box = bar.querySelector('input');
    const answer = bar.querySelector('output');
    const items = all('main tbody tr,main .entity-list>details,main article,main .names>*');
    const entities = all('.diagram .entity');
    const has = (node, term) => node.textContent.toLowerCase().includes(term);
    let opened = [];
    box.addEventListener('input', () => {
      const term = box.value.trim().toLowerCase();
      let count = 0;
      for (const details of opened) details.open = false;
      opened = [];
      for (const item of items) {
        const around = item.parentElement.closest('.entity-list>details,article');
        const title = around && around.querySelector('summary,h3');
        const own = has(item, term);
        item.hidden = term !== '' && !own && !(title && has(title, term));
        if (term === '' || !own) continue;
        count += 1;
        for (let node = item.parentElement.closest('details'); node;
          node = node.parentElement.closest('details')) {
          if (!node.open) { node.open = true; opened.push(node); }
        }
      }
      for (const entity of entities) {
        entity.classList.toggle('found', term !== '' && has(entity.querySelector('.name'), term));
      }
      for (const section of all('main>section')) section.hidden = term !== '' && !has(section, term);
      answer.textContent = term === '' ? '' : count === 1 ? '1 match' : `${count} matches`;
    });
    bar.hidden = false;
    }

    """

  /// The script's source expression for a content security policy: the base64 of its SHA-256.
  static let source = "'sha256-\(Data(SHA256.hash(data: Array(text.utf8))).base64EncodedString())'"

  static func write(to page: inout HTMLText) {
    page.element("script") { $0.markup(text) }
  }

  /// Writes the search box, which the script shows.
  static func writeBox(to page: inout HTMLText) {
    page.element("div", ["class": "search", "role": "search", "hidden": ""]) { page in
      page.element("label", ["class": "hidden", "for": "search"], text: "Search this page")
      page.open(
        "input",
        [
          "id": "search", "type": "search", "placeholder": "Search names", "autocomplete": "off",
          "spellcheck": "false",
        ])
      page.element("output", ["for": "search"]) { _ in }
    }
  }
}

/// A section of the page.
protocol HTMLSection {
  /// The name of the section in links.
  var identifier: String { get }
  var title: String { get }
  /// Whether the section is left out because it has no content.
  var isEmpty: Bool { get }
  /// Writes the content below the heading.
  func write(to page: inout HTMLText)
}

extension HTMLSection {
  var isEmpty: Bool { false }
}
