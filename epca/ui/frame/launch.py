"""Streamlit's own command, restricted from its first moment to what pages need."""

from streamlit.web import cli

from epca.ui.frame import messages


def main() -> None:
    messages.restrict()
    cli.main(prog_name="streamlit")


if __name__ == "__main__":
    main()
