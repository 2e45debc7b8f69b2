internal import Crypto
internal import Foundation

/// The one script of a page: the search box in its contents.
///
/// It hides rows, entities, findings and charts that do not contain a text, marks entities in drawings,
/// and opens what is folded around the rest. Without it, the page lacks the box and nothing else.
enum PageScript {
  /// The script.
  static let text = """
    {
    const all = (selector, root = document) => [...root.querySelectorAll(selector)];
    const bar = document.querySelector('.search');
    const box = bar.querySelector('input');
    const answer = bar.querySelector('output');
    const items = all('main tbody tr,main .entity-list>details,main article,main .time,main .names>*')
      .filter(item => !item.closest('.numbers'));
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

  /// What a content security policy calls the script: the base64 of its SHA-256.
  static let source =
    "'sha256-\(Data(SHA256.hash(data: Array(text.utf8))).base64EncodedString())'"

  /// Writes the script.
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
