// The viewer in a real browser, against a real server: TERRANED and TERRANE name the programs,
// CHROMIUM the browser where it is not the system's, SHOTS a directory for pictures.
import './map_cases.mjs';
import './zoom_cases.mjs';
import './legend_cases.mjs';
import './measure_cases.mjs';
import './keyboard_cases.mjs';
import './find_cases.mjs';
import './phone_cases.mjs';
import './touch_cases.mjs';
import './realm_cases.mjs';
import './token_cases.mjs';
import './server_cases.mjs';
import './scene_cases.mjs';
