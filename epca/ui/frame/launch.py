"""Streamlit's own command, which from its first moment asks no other host for our address."""

from streamlit.web import cli

from epca.ui.frame import visitors


def main() -> None:
    visitors.call_nobody()
    cli.main(prog_name="streamlit")


if __name__ == "__main__":
    main()
