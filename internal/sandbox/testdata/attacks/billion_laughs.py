# attack: expand XML entities without end
# expect: ok; error ParseError|MemoryError; stop wall|steps|memory|killed
import xml.etree.ElementTree as ET
text = '<!DOCTYPE x [<!ENTITY a "' + "ha" * 50 + '">'
for i in range(20):
    text += f'<!ENTITY a{i} "' + f'&a{i - 1 if i else ""};' * 20 + '">'
ET.fromstring(text + "]><x>&a19;</x>")
