-- definition (a fragment, pulled in by "-- include: definition"): all that scripts know of the JSON that they store.
-- definition text  of a job, as stored; pause text, as stored
-- returns functions
-- cost    O(length)

-- Scheme, host and port that the main action calls, as its URI spells them; nil for an action that is no HTTP call.
local function origin_of(definition) return string.match(definition, '"action":{"request":{"uri":"([^/"]*//[^/?#"]*)') end

local function names_flow(definition) return string.find(definition, '"flow":', 1, true) end

-- Whether something may keep an attempt from being made now, or ever: then its node decides.
local function has_conditions(definition)
  return string.find(definition, '"startWithin":', 1, true) or string.find(definition, '"calendars":', 1, true)
end

local function ends_automatically(pause) return string.find(pause, '"until":', 1, true) end
