"""Opens pages in a headless Chromium, as people see them, and tells what the browser says of them.

    look-at-page.py CHROMIUM FOLDER PAGE...

Each page is opened in a light and a dark window, one of a phone's width, without scripts, and printed. What was seen goes
to standard output as JSON, a line for each opening; pictures and a PDF go to the folder. The browser is
talked to through a pipe, in its own protocol: nothing but the standard library is needed.
"""

import base64
import json
import os
import select
import subprocess
import sys
import tempfile
import time

# What the page says of itself, once it stands.
FACTS = """(() => {
  // Types the name of an entity into the search box, and clears it.
  const search = all => {
    const box = document.querySelector('.search input');
    const name = document.querySelector('.diagram .entity .name');
    const type = text => { box.value = text; box.dispatchEvent(new Event('input')); };
    const hidden = () => all('main [hidden]').length;
    const open = () => all('details').filter(e => e.open).length;
    const before = open();
    const isOffered = box.offsetWidth > 0;
    type(name ? name.textContent : 'e');
    const seen = {
      isOffered, answer: document.querySelector('.search output').textContent, hidden: hidden(),
      marked: all('.diagram .found').length,
    };
    type('');
    return {...seen, hiddenAfter: hidden(), openAfter: open() - before};
  };
  const all = selector => [...document.querySelectorAll(selector)];
  const ids = all('[id]').map(e => e.id);
  const levels = all('h1,h2,h3,h4').map(e => Number(e.tagName[1]));
  return {
    title: document.title,
    sections: all('main > section').length,
    width: document.documentElement.scrollWidth,
    room: document.documentElement.clientWidth,
    repeatedIdentifiers: ids.filter((id, place) => ids.indexOf(id) !== place),
    brokenLinks: all('a[href^="#"]').map(e => e.getAttribute('href').slice(1))
      .filter(id => !document.getElementById(id)),
    brokenLabels: all('[aria-labelledby]')
      .flatMap(e => e.getAttribute('aria-labelledby').split(' '))
      .filter(id => !document.getElementById(id)),
    skippedHeadings: levels.filter((level, place) => place > 0 && level > levels[place - 1] + 1).length,
    unnamedDrawings: all('svg').filter(e => !e.closest('[aria-hidden]'))
      .filter(e => e.getAttribute('role') !== 'img' || !e.querySelector('title')).length,
    cellsWithoutHeading: all('table').filter(e => !e.querySelector('th[scope=col]')
      || !e.querySelector('caption')).length,
    scripts: all('script').length,
    cut: all('main *,header *,nav *').filter(e => e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 1
      && getComputedStyle(e).overflowX !== 'visible').map(e => e.className || e.tagName),
    text: document.body.innerText,
    words: all('header,main,footer').map(e => e.innerText).join(' '),
    headings: all('h2,h3,caption:not(.hidden),figcaption .title,summary').map(e => e.innerText.trim()),
    found: search(all),
  };
})()"""

VIEWS = [
    ("light", 1200, "light"),
    ("dark", 1200, "dark"),
    ("phone", 390, "light"),
    # Without scripts.
    ("plain", 1200, "light"),
]


class Browser:
    """A Chromium with a folder of its own, ended with the block."""

    def __init__(self, program):
        self.profile = tempfile.TemporaryDirectory(prefix="coffer-browser-")
        to_browser, self.output = os.pipe()
        self.input, from_browser = os.pipe()

        def arrange():
            # The browser reads commands from 3 and writes answers to 4.
            high = [os.dup2(to_browser, 20), os.dup2(from_browser, 21)]
            os.dup2(high[0], 3)
            os.dup2(high[1], 4)

        self.process = subprocess.Popen(
            [
                program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                "--no-first-run", "--disable-background-networking", "--disable-component-update",
                "--disable-sync", "--remote-debugging-pipe",
                "--user-data-dir=" + self.profile.name, "about:blank",
            ],
            preexec_fn=arrange, close_fds=False, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.last = 0
        self.buffer = b""
        self.events = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.send("Browser.close")
            self.process.wait(10)
        except Exception:
            self.process.kill()
            self.process.wait()
        self.profile.cleanup()

    def message(self):
        """The next message of the browser."""
        end = time.monotonic() + 60
        while b"\0" not in self.buffer:
            ready, _, _ = select.select([self.input], [], [], max(0, end - time.monotonic()))
            part = os.read(self.input, 1 << 20) if ready else b""
            if not part:
                raise SystemExit("the browser does not answer")
            self.buffer += part
        text, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(text)

    def send(self, method, session=None, **parameters):
        """Sends a command and returns its answer; what comes in between is kept."""
        self.last += 1
        command = {"id": self.last, "method": method, "params": parameters}
        if session:
            command["sessionId"] = session
        os.write(self.output, json.dumps(command).encode() + b"\0")
        while True:
            message = self.message()
            if message.get("id") == self.last:
                if "error" in message:
                    raise SystemExit(f"{method}: {message['error']}")
                return message["result"]
            self.events.append(message)

    def wait(self, method):
        """Waits for an event."""
        while not any(event.get("method") == method for event in self.events):
            self.events.append(self.message())


def complaints(events):
    """What the console shows."""
    found = []
    for event in events:
        method, parameters = event.get("method"), event.get("params", {})
        if method == "Runtime.consoleAPICalled":
            found.append(json.dumps(parameters["args"]))
        elif method == "Runtime.exceptionThrown":
            found.append(parameters["exceptionDetails"]["text"])
        elif method == "Log.entryAdded":
            found.append(parameters["entry"]["text"])
    return found


def requests(events):
    """What was loaded."""
    return [
        event["params"]["request"]["url"] for event in events
        if event.get("method") == "Network.requestWillBeSent"
    ]


def write(path, data):
    with open(path, "wb") as file:
        file.write(base64.b64decode(data))


def look(browser, page, name, width, scheme, folder):
    browser.events = []
    target = browser.send("Target.createTarget", url="about:blank")["targetId"]
    session = browser.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
    for domain in ["Page", "Runtime", "Log", "Network"]:
        browser.send(domain + ".enable", session)
    browser.send(
        "Emulation.setDeviceMetricsOverride", session, width=width, height=900,
        deviceScaleFactor=1, mobile=width < 600)
    browser.send(
        "Emulation.setEmulatedMedia", session,
        features=[{"name": "prefers-color-scheme", "value": scheme}])
    if name == "plain":
        browser.send("Emulation.setScriptExecutionDisabled", session, value=True)
    browser.events = []
    browser.send("Page.navigate", session, url="file://" + os.path.abspath(page))
    browser.wait("Page.loadEventFired")
    facts = browser.send(
        "Runtime.evaluate", session, expression=FACTS, returnByValue=True)["result"]["value"]
    base = os.path.join(folder, os.path.splitext(os.path.basename(page))[0] + "-" + name)
    picture = browser.send(
        "Page.captureScreenshot", session, captureBeyondViewport=True,
        clip=dict(x=0, y=0, width=width, height=CLIP, scale=1))
    write(base + ".png", picture["data"])
    if name == "dark":
        pdf = browser.send("Page.printToPDF", session, printBackground=True, preferCSSPageSize=True)
        write(base.removesuffix("dark") + "print.pdf", pdf["data"])
    facts.update(
        page=page, view=name, complaints=complaints(browser.events), requests=requests(browser.events))
    browser.send("Target.closeTarget", targetId=target)
    return facts


CLIP = int(os.environ.get("LOOK_HEIGHT", "3000"))


def main(program, folder, pages):
    with Browser(program) as browser:
        for page in pages:
            for name, width, scheme in VIEWS:
                print(json.dumps(look(browser, page, name, width, scheme, folder)))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
