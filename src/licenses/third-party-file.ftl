<#function names licenses>
    <#assign result = ""/>
    <#list licenses as license>
        <#assign result = result + " (" + license + ")"/>
    </#list>
    <#return result>
</#function>
Lists of ${dependencyMap?size} third-party dependencies, and what one of them carries.
    <#list dependencyMap as e>
        <#assign part = e.getKey()/>
    ${names(e.getValue())} ${part.name} (${part.groupId}:${part.artifactId}:${part.version} - ${part.url!"no url defined"})
    </#list>
     (Unicode-3.0) CLDR 47, names of time zones in carillon/json/schedule/windows-zones.tsv (https://cldr.unicode.org); see META-INF/licenses/unicode.txt
     (BSD-3-Clause, MIT, BSD-2-Clause) Redis 7.0.15 with Lua, hiredis, LZF and musl (in org.signal:embedded-redis - https://redis.io); see META-INF/licenses/redis.txt
