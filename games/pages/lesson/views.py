"""The lesson: pages without a key, a cookie or a query."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET

from games.pages.lesson.page import lesson_page
from games.pages.lesson.script import LESSONS
from games.texts import words
from games.texts.rules_help import explanations


@require_GET
def start(request: HttpRequest) -> HttpResponse:
    """The first step, with the newest rules."""
    return redirect("games:lesson", next(iter(LESSONS)), 1)


@require_GET
def step(request: HttpRequest, edition: str, number: int) -> HttpResponse:
    """A step of the lesson of an edition."""
    lesson = LESSONS.get(edition)
    if lesson is None or not 1 <= number <= len(lesson.steps):
        raise Http404
    page = lesson_page(lesson, number)
    others = [
        {"edition": key, "box": words.box_name(each.rules.edition)} for key, each in LESSONS.items() if key != edition
    ]
    context = {
        "lesson": page,
        "page": page.table,
        "edition": edition,
        "others": others,
        "dealt": lesson.rules.dealt,
        "super_rank": page.table.round.super_rank,
        "explanations": explanations(lesson.rules) if page.next is None else (),
    }
    return render(request, "games/lesson/step.html", context)
