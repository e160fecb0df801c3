"""A visitor without a browser, who speaks Streamlit's protocol as its frontend does."""

import asyncio
import json
import uuid
from urllib.parse import parse_qs, urlencode

import requests
import websockets
from requests.adapters import HTTPAdapter
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from urllib3 import Retry

ENDS = {
    ForwardMsg.FINISHED_SUCCESSFULLY,
    ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY,
    ForwardMsg.FINISHED_WITH_COMPILE_ERROR,
}


class Visitor:
    """One visitor's open page. Widgets are known by their keys.

    Every action waits until the script has run to its end. Images are fetched as a browser does,
    each address once.
    """

    def __init__(self, address, session_id=""):
        self.address = address
        self.session_id = session_id
        self.runs = 0
        self.elements = {}  # place → Element
        self.fragments = {}  # key → fragment
        self.states = {}  # key → WidgetState
        self.timers = {}  # fragment → seconds after which it runs again
        self.query = {}
        self.pages = {}
        self.page = ""
        self.pictures = {}  # address → bytes
        self.progress = []  # texts of progress bars
        self._http = requests.Session()
        # as browsers do where the server has just closed an idle connection
        again = Retry(total=3, allowed_methods=None)
        self._http.mount("http://", HTTPAdapter(max_retries=again))

    async def __aenter__(self):
        # its answer brings the cookie that uploads need
        await asyncio.to_thread(self._get, "/_stcore/health")
        protocols = ["streamlit", "none", *filter(None, [self.session_id])]
        stream = self.address.replace("http", "ws", 1) + "/_stcore/stream"
        cookies = "; ".join(f"{name}={value}" for name, value in self._http.cookies.items())
        self._socket = await websockets.connect(
            stream,
            subprotocols=protocols,
            origin=self.address,
            additional_headers={"Cookie": cookies},
            max_size=None,
            open_timeout=60,
            ping_interval=None,
        )
        return self

    async def __aexit__(self, *_):
        await self._socket.close()
        self._http.close()

    async def open(self, page="", query=""):
        """Go to a page; within a session as by its link in the menu, which keeps the controls."""
        self.query = parse_qs(query) or self.query
        await self._run(
            page_script_hash=self.pages.get(page, ""), page_name="" if self.pages else page
        )

    async def change(self, key, value):
        """Set a control.

        Numbers for sliders and number fields, texts as shown for choices, lists for several.
        """
        element = self.widget(key)
        self.states[key] = state = WidgetState(id=element.id)
        _set(state, element, value)
        if getattr(element, "query_param_key", ""):
            texts = value if isinstance(value, list) else [value]
            self.query[key] = [
                str(text).lower() if isinstance(text, bool) else str(text) for text in texts
            ]
        await self._run(fragment_id=self.fragments.get(key, ""), page_script_hash=self.page)

    async def upload(self, key, name, content):
        """Give a file to an uploader as the frontend does: ask where to, put it there, run."""
        request = BackMsg()
        request.file_urls_request.request_id = str(uuid.uuid4())
        request.file_urls_request.file_names.append(name)
        request.file_urls_request.session_id = self.session_id
        await self._socket.send(request.SerializeToString())
        message = await self._hear()
        while message.WhichOneof("type") != "file_urls_response":
            message = await self._hear()
        urls = message.file_urls_response.file_urls[0]
        await asyncio.to_thread(self._put, urls.upload_url, name, content)
        self.states[key] = state = WidgetState(id=self.widget(key).id)
        file = state.file_uploader_state_value.uploaded_file_info.add(
            name=name, size=len(content), file_id=urls.file_id
        )
        file.file_urls.CopyFrom(urls)
        await self._run(page_script_hash=self.page)

    async def look(self):
        """Have the bar of a room look at it, as it does again and again in a browser."""
        await self._run(fragment_id=self.fragments["pulse"], page_script_hash=self.page)

    async def wait_for_work(self):
        """Let the page's timers run until none is left: work in the background is then ready."""
        texts = []
        while self.timers:
            fragment, seconds = next(iter(self.timers.items()))
            await asyncio.sleep(seconds)
            await self._run(fragment_id=fragment, page_script_hash=self.page)
            texts += self.progress
        self.progress = texts

    @property
    def metrics(self):
        return {element.metric.label: element.metric.body for element in self.of("metric")}

    @property
    def title(self):
        return next(
            (element.heading.body for element in self.of("heading") if element.heading.tag == "h1"),
            "",
        )

    @property
    def complaints(self):
        """Errors that the page shows."""
        shown = [element.exception.type for element in self.of("exception")]
        return shown + [alert.body for alert in self.alerts if alert.format == alert.ERROR]

    @property
    def alerts(self):
        return [element.alert for element in self.of("alert")]

    @property
    def text(self):
        """All markdown of the page."""
        return "\n".join(element.markdown.body for element in self.of("markdown"))

    @property
    def images(self):
        """Bytes of the pictures shown."""
        return [
            self.pictures[image.url] for element in self.of("imgs") for image in element.imgs.imgs
        ]

    def of(self, kind):
        return [element for element in self.elements.values() if element.WhichOneof("type") == kind]

    def widget(self, key):
        for element in self.elements.values():
            found = getattr(element, element.WhichOneof("type") or "empty")
            if getattr(found, "id", "").endswith(f"-{key}"):
                return found
        raise KeyError(f"no control {key} on the page “{self.title}”: {self.complaints}")

    async def _run(self, **where):
        message = BackMsg()
        run = message.rerun_script
        run.query_string = urlencode(self.query, doseq=True)
        for name, value in where.items():
            setattr(run, name, value)
        run.widget_states.widgets.extend(self.states.values())
        await self._socket.send(message.SerializeToString())
        self.progress.clear()
        arriving = {}
        is_fragment = bool(where.get("fragment_id"))
        while (message := await self._hear()).WhichOneof(
            "type"
        ) != "script_finished" or message.script_finished not in ENDS:
            kind = message.WhichOneof("type")
            if kind == "new_session":
                arriving = dict(self.elements) if is_fragment else {}
                self.timers = self.timers if is_fragment else {}
                is_fragment = False  # what a fragment begins anew is the whole page
                self.session_id = message.new_session.initialize.session_id
            elif kind == "delta":
                self._place(arriving, tuple(message.metadata.delta_path), message.delta)
        self.elements = arriving
        if not where.get("fragment_id"):
            self._forget_states()
        self.runs += 1
        await self._fetch()

    def _forget_states(self):
        """Of controls that are not on the page: the frontend sends them no longer."""
        kinds = [(element, element.WhichOneof("type")) for element in self.elements.values()]
        there = {getattr(getattr(element, kind), "id", "") for element, kind in kinds if kind}
        self.states = {key: state for key, state in self.states.items() if state.id in there}

    async def _hear(self):
        message = ForwardMsg.FromString(await self._socket.recv())
        kind = message.WhichOneof("type")
        if kind == "navigation":
            pages = message.navigation.app_pages
            self.pages = {
                "" if page.is_default else page.url_pathname: page.page_script_hash
                for page in pages
            }
            self.page = message.navigation.page_script_hash
        elif kind == "auto_rerun":
            self.timers[message.auto_rerun.fragment_id] = message.auto_rerun.interval
        elif kind == "stop_auto_rerun":
            self.timers.pop(message.stop_auto_rerun.fragment_id, None)
        elif kind == "page_info_changed":
            self.query = parse_qs(message.page_info_changed.query_string)
        return message

    def _place(self, arriving, path, delta):
        for place in [place for place in arriving if place[: len(path)] == path]:
            del arriving[place]
        if delta.WhichOneof("type") != "new_element":
            return
        element = arriving[path] = delta.new_element
        kind = element.WhichOneof("type")
        found = getattr(element, kind)
        if kind == "progress":
            self.progress.append(found.text)
        key = getattr(found, "id", "").split("-", 2)[-1]
        if key:
            self.fragments[key] = delta.fragment_id
            if key in self.states and not getattr(found, "set_value", False):
                self.states[key].id = found.id  # another page, another id
            elif (value := _shown(found)) is not None:
                self.states[key] = WidgetState(id=found.id)
                _set(self.states[key], found, value)

    async def _fetch(self):
        wanted = {
            image.url for element in self.of("imgs") for image in element.imgs.imgs
        } - self.pictures.keys()
        for url in sorted(url for url in wanted if url.startswith("/")):
            self.pictures[url] = await asyncio.to_thread(self._get, url)

    def _get(self, path):
        answer = self._http.get(self.address + path, timeout=60)
        answer.raise_for_status()
        return answer.content

    def _put(self, path, name, content):
        token = {"X-Xsrftoken": self._http.cookies["_streamlit_xsrf"]}
        self._http.put(
            self.address + path, files={name: (name, content)}, headers=token, timeout=60
        ).raise_for_status()


def _shown(element):
    """The value that a control comes with, which the frontend sends along with every action.

    None for other elements.
    """
    kind = element.DESCRIPTOR.name
    is_set = getattr(element, "set_value", False)
    if kind == "Slider":
        given = list(element.raw_value or element.value) if is_set else list(element.default)
        is_place = element.options and not element.raw_value
        return [element.options[int(i)] for i in given] if is_place else given
    if kind == "MultiSelect":
        return list(element.raw_values) if is_set else [element.options[i] for i in element.default]
    if kind == "Selectbox":
        if is_set:
            return element.raw_value if element.HasField("raw_value") else None
        return element.options[element.default] if element.HasField("default") else None
    if kind == "NumberInput":
        field = "value" if is_set else "default"
        return getattr(element, field) if element.HasField(field) else None
    if kind == "Checkbox":
        return element.value if is_set else element.default
    return None


def _set(state, element, value):
    kind = element.DESCRIPTOR.name
    if kind == "Slider" and not element.options:
        state.double_array_value.data.extend(value if isinstance(value, list) else [value])
    elif kind in ("Slider", "MultiSelect", "ButtonGroup"):
        state.string_array_value.data.extend(
            map(str, value if isinstance(value, list) else [value])
        )
    elif kind == "NumberInput":
        state.double_value = value
    elif kind == "Checkbox":
        state.bool_value = value
    elif kind == "Button":
        state.trigger_value = value
    elif kind == "PlotlyChart":
        state.string_value = json.dumps({"selection": value})
    else:
        state.string_value = str(value)
