"""The model a person or an operator configured."""

import math
from collections.abc import Mapping

from repair.tools.model.openai_client import OpenAIModel
from repair.tools.model.seam import ModelClient

_DEFAULT_BASE_URL = "https://api.openai.com/v1"
_NO_KEY = "none"


def from_environment(name: str | None, base_url: str | None, env: Mapping[str, str]) -> ModelClient | None:
    """The configured model; arguments win over REGOMENDER_MODEL and OPENAI_BASE_URL. `None` without a name.

    OPENAI_API_KEY may be missing where a base URL names a server of one's own. REGOMENDER_USD_PER_MTOK is
    `prompt,completion`: US dollars for a million tokens. Raises `ValueError`, which names the setting at fault.
    """
    name = (name or env.get("REGOMENDER_MODEL", "")).strip()
    if not name:
        return None
    base_url = (base_url or env.get("OPENAI_BASE_URL", "")).strip()
    api_key = env.get("OPENAI_API_KEY", "").strip()
    if not base_url and not api_key:
        raise ValueError(f"the model {name} needs OPENAI_API_KEY, or OPENAI_BASE_URL (--base-url) of a server")
    prices = _prices(env.get("REGOMENDER_USD_PER_MTOK", "").strip())
    return OpenAIModel(name, base_url or _DEFAULT_BASE_URL, api_key or _NO_KEY, prices=prices)


def _prices(text: str) -> tuple[float, float] | None:
    if not text:
        return None
    try:
        prompt, completion = (float(part) for part in text.split(","))
    except ValueError:
        prompt = completion = math.nan
    if not (0 <= prompt < math.inf and 0 <= completion < math.inf):
        raise ValueError("REGOMENDER_USD_PER_MTOK must be two prices in US dollars, such as 0.15,0.60")
    return prompt, completion
