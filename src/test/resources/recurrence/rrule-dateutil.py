"""Prints random recurrence rules with their first times by python-dateutil, for RruleOraclesTest.

    python3 rrule-dateutil.py 20261123 300 > rrule-dateutil.csv

Left out: BYSETPOS of weeks, whose first week dateutil counts from the start; BYWEEKNO without
BYDAY, which it takes for all days of the week; and what takes it longer than half a second.
"""

import datetime
import random
import signal
import sys

from dateutil.rrule import rrulestr

DAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
FREQUENCIES = ["YEARLY"] * 6 + ["MONTHLY"] * 6 + ["WEEKLY"] * 4 + ["DAILY"] * 4
FREQUENCIES += ["HOURLY"] * 3 + ["MINUTELY"] * 2 + ["SECONDLY"]


def numbers(least, most, signed=False):
    found = set()
    for _ in range(r.randint(1, 4)):
        number = r.randint(least, most)
        found.add(-number if signed and r.random() < 0.35 else number)
    return ",".join(map(str, sorted(found)))


def days(frequency, in_months):
    named = r.sample(DAYS, r.randint(1, 4))
    if frequency not in ("MONTHLY", "YEARLY") or r.random() < 0.5:
        return ",".join(named)
    places = [1, 2, 3, 4, 5, -1, -2, -5]
    if frequency == "YEARLY" and not in_months:
        places += [10, 20, 53, -20, -53]
    return ",".join(f"{r.choice(places)}{day}" for day in named)


def rule():
    frequency = r.choice(FREQUENCIES)
    parts = ["FREQ=" + frequency]
    if r.random() < 0.5:
        parts.append(f"INTERVAL={r.choice([2, 3, 4, 5, 7, 10, 12, 13, 24, 90])}")
    in_months = r.random() < 0.35
    if in_months:
        parts.append("BYMONTH=" + numbers(1, 12))
    if frequency == "YEARLY" and r.random() < 0.2:
        parts.append("BYWEEKNO=" + numbers(1, 53, True))
        parts.append("BYDAY=" + ",".join(r.sample(DAYS, r.randint(1, 3))))
    else:
        if frequency not in ("DAILY", "WEEKLY", "MONTHLY") and r.random() < 0.2:
            parts.append("BYYEARDAY=" + numbers(1, 366, True))
        if frequency != "WEEKLY" and r.random() < 0.35:
            parts.append("BYMONTHDAY=" + numbers(1, 31, True))
        if r.random() < 0.35:
            parts.append("BYDAY=" + days(frequency, in_months))
    for name, most, share in (("HOUR", 23, 0.3), ("MINUTE", 59, 0.3), ("SECOND", 59, 0.15)):
        if r.random() < share:
            parts.append(f"BY{name}={numbers(0, most)}")
    if frequency != "WEEKLY" and any(p.startswith("BY") for p in parts) and r.random() < 0.25:
        parts.append("BYSETPOS=" + numbers(1, r.choice([2, 5]), True))
    if r.random() < 0.2:
        parts.append("WKST=" + r.choice(DAYS))
    if r.random() < 0.1:
        parts.append(f"COUNT={r.randint(1, 30)}")
    elif r.random() < 0.1:
        parts.append(f"UNTIL=20{r.randint(41, 59)}{r.randint(1, 12):02}15T120000")
    return ";".join(parts)


def give_up(*_):
    raise TimeoutError


def first_times(text, start):
    signal.setitimer(signal.ITIMER_REAL, 0.5)
    try:
        return list(rrulestr(text, dtstart=start).xafter(start, count=6, inc=True))
    except (TimeoutError, ValueError):
        return []
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


r = random.Random(int(sys.argv[1]))
signal.signal(signal.SIGALRM, give_up)
printed = 0
while printed < int(sys.argv[2]):
    begin = datetime.datetime(r.randint(1999, 2039), r.randint(1, 12), 1, r.randint(0, 23), r.randint(0, 59))
    begin += datetime.timedelta(days=r.randint(0, 30))
    random_rule = rule()
    times = [time for time in first_times(random_rule, begin) if time.year < 2060]
    if times:
        print("|".join([begin.isoformat(), random_rule, " ".join(t.isoformat() for t in times)]))
        printed += 1
