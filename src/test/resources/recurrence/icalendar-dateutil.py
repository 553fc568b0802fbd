"""Prints random events of iCalendar and what they cover, by python-dateutil, for IcalendarOracleTest.

    python3 icalendar-dateutil.py 20261123 300 > icalendar-dateutil.csv

A row is the lines of an event, and the first spans as begin/end in UTC. Left out: events that begin
or end at an hour at which clocks are changed, and what is after 2036, where dateutil knows no rules
of time zones.
"""

import datetime
import random
import sys

from dateutil import tz
from dateutil.rrule import rruleset, rrulestr

ZONES = ["Europe/Berlin", "America/New_York", "Asia/Tokyo", "Australia/Sydney", None]
RULES = [
    "FREQ=DAILY;INTERVAL=3",
    "FREQ=WEEKLY;BYDAY=SA,SU",
    "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH;WKST=SU",
    "FREQ=MONTHLY;BYDAY=-1FR",
    "FREQ=MONTHLY;BYMONTHDAY=1,15",
    "FREQ=YEARLY;BYMONTH=10;BYMONTHDAY=3",
    "FREQ=YEARLY;BYMONTH=11;BYDAY=4TH",
    "FREQ=WEEKLY;COUNT=7",
    "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1",
    "FREQ=DAILY;INTERVAL=5;UNTIL=20260901T000000Z",
    None,
]
SPANS = 12


def text(moment, zone):
    return moment.strftime("%Y%m%dT%H%M%S") + ("Z" if zone is None else "")


def utc(local, zone):
    aware = local.replace(tzinfo=tz.gettz(zone) if zone else tz.UTC)
    return aware.astimezone(tz.UTC)


def event():
    zone = r.choice(ZONES)
    tzid = f";TZID={zone}" if zone else ""
    day = datetime.datetime(2026, 1, 1) + datetime.timedelta(days=r.randint(0, 200))
    start = day.replace(hour=r.randint(4, 23), minute=r.choice([0, 15, 30]))
    length = datetime.timedelta(minutes=r.choice([30, 90, 240, 1440, 3000]))
    lines = [f"DTSTART{tzid}:{text(start, zone)}"]
    if r.random() < 0.5:
        lines.append(f"DTEND{tzid}:{text(start + length, zone)}")
        length = utc(start + length, zone) - utc(start, zone)
    else:
        lines.append(f"DURATION:PT{int(length.total_seconds()) // 60}M")
    rule = r.choice(RULES)
    found = rruleset()
    if rule:
        lines.append(f"RRULE:{rule}")
        until = "UNTIL=20260901T000000Z"
        local = datetime.datetime(2026, 9, 1, tzinfo=tz.UTC)
        local = local.astimezone(tz.gettz(zone) if zone else tz.UTC)
        local_rule = rule.replace(until, "UNTIL=" + local.strftime("%Y%m%dT%H%M%S"))
        found.rrule(rrulestr(local_rule, dtstart=start))
    else:
        found.rdate(start)
    for name, take in (("RDATE", found.rdate), ("EXDATE", found.exdate)):
        if r.random() < 0.3:
            other = start + datetime.timedelta(days=r.randint(0, 60))
            lines.append(f"{name}{tzid}:{text(other, zone)}")
            take(other)
    spans = []
    for local in found:
        begin = utc(local, zone)
        spans.append((begin, begin + length))
        if len(spans) == SPANS or local.year == 2036:
            break
    return lines, spans


def iso(moment):
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


r = random.Random(int(sys.argv[1]))
print("event|spans")
printed = 0
while printed < int(sys.argv[2]):
    lines, spans = event()
    overlap = any(a[1] >= b[0] for a, b in zip(spans, spans[1:]))
    if spans and not overlap:
        told = " ".join(iso(begin) + "/" + iso(end) for begin, end in spans)
        print("\\n".join(lines) + "|" + told)
        printed += 1
