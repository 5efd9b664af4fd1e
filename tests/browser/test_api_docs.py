"""The API's page in a real browser, under the same policy as every other page."""

import pytest
from playwright.sync_api import expect

from games.api.openapi import openapi
from tests.browser.sizes import LAPTOP

pytestmark = pytest.mark.browser


def test_the_page_shows_every_endpoint_and_breaks_no_policy(open_phone) -> None:
    page = open_phone(LAPTOP, mobile=False, scale=1).page
    page.goto("/api/v1/docs/")
    operations = page.locator(".opblock-summary-control")

    expect(operations).to_have_count(sum(len(methods) for methods in openapi()["paths"].values()))
    for summary in ("Record an action", "The score sheet"):
        operation = page.locator(".opblock", has_text=summary)
        operation.locator(".opblock-summary-control").click()
        operation.locator(".response-col_status").first.wait_for()
    page.locator(".authorize").first.click()
    page.get_by_role("button", name="Close").first.click()


def test_an_endpoint_is_tried_out_on_the_page(open_phone) -> None:
    page = open_phone(LAPTOP, mobile=False, scale=1).page
    page.goto("/api/v1/docs/")
    presets = page.locator(".opblock", has_text="The presets")
    presets.locator(".opblock-summary-control").click()

    presets.get_by_role("button", name="Try it out").click()
    presets.get_by_role("button", name="Execute").click()

    answer = presets.locator(".live-responses-table .highlight-code").first
    expect(answer).to_contain_text("njet-english")
