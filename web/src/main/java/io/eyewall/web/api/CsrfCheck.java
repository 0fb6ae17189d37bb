package io.eyewall.web.api;

import jakarta.servlet.http.HttpServletRequest;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Keeps pages of other sites from making a browser act here with its user's rights. A request that comes from a browser, which its headers
 * show, must bear this daemon's token for the user in a header of its own: other sites cannot read the token, nor set that header. Scripts
 * and other clients need none. Safe for any thread.
 */
public final class CsrfCheck {

    /** The header that bears the token. */
    public static final String HEADER = "X-Csrf-Token";

    private static final String ALGORITHM = "HmacSHA256";
    private static final int KEY_BYTES = 32;
    private static final int FORBIDDEN = 403;

    // Browsers always send the second of these; other sites can take away only the others.
    private static final List<String> OF_BROWSERS = List.of("Origin", "Accept-Language", "Referer", "Sec-Fetch-Site");

    private static final String LOCAL = "localhost";
    private static final Pattern NUMBERS = Pattern.compile("[0-9.]+|\\[?[0-9a-f.]*:[0-9a-f:.]*]?");

    private final SecretKeySpec key;

    /** With a key of its own, so that tokens end with the daemon. */
    public CsrfCheck(SecureRandom random) {
        byte[] bytes = new byte[KEY_BYTES];
        random.nextBytes(bytes);
        key = new SecretKeySpec(bytes, ALGORITHM);
    }

    /** The token of a user; null is everybody who has not logged in. */
    String token(String user) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            return HexFormat.of().formatHex(mac.doFinal(("user:" + user).getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every Java has " + ALGORITHM + ", this one has not.", e);
        }
    }

    /** Throws a 403 if the request comes from a browser and lacks the user's token. */
    void require(HttpServletRequest request, String user) throws HttpException {
        String given = request.getHeader(HEADER);
        if (given != null && MessageDigest.isEqual(given.getBytes(StandardCharsets.UTF_8), token(user).getBytes(StandardCharsets.UTF_8))) {
            return;
        }
        if (given != null || isOfBrowser(request)) {
            throw new HttpException(FORBIDDEN, "Actions from a browser need the header " + HEADER + " with the csrfToken of"
                + " /api/v1/session. Reload the page: the token changes when the UI is started again.");
        }
    }

    /**
     * Throws a 403 if the request comes from a browser, unless a header shows that a page of this server asks, or its user and no page. For
     * addresses that need no token. A browser that uses plain HTTP does not always say which page asks; then none may. Another site can let
     * its name lead to this server, and its page then looks like one of this server's: a browser must use a name that is known here.
     *
     * @param names of this server in lower case, beside localhost and its addresses in numbers
     */
    public static void requireOwnPage(HttpServletRequest request, Set<String> names) throws HttpException {
        String name = request.getServerName().toLowerCase(Locale.ROOT);
        if (isOfBrowser(request) && !names.contains(name) && !name.equals(LOCAL) && !NUMBERS.matcher(name).matches()) {
            throw new HttpException(FORBIDDEN, "This server has no name " + Parameters.shown(name)
                + ". Use one of " + names + " or a numeric address: pages of other sites may not call functions.");
        }
        String own = request.getScheme() + "://" + request.getHeader("Host");
        String site = request.getHeader("Sec-Fetch-Site");
        String origin = request.getHeader("Origin");
        String referer = request.getHeader("Referer");
        boolean shown = own.equals(origin) || "same-origin".equals(site) || "none".equals(site)
            || (referer != null && referer.startsWith(own + "/"));
        boolean denied = (origin != null && !own.equals(origin)) || (site != null && !site.equals("same-origin") && !site.equals("none"));
        if (denied || (isOfBrowser(request) && !shown)) {
            throw new HttpException(FORBIDDEN, "Pages of other sites may not call functions, and this request does not show which page"
                + " it comes from. A client other than a browser leaves " + String.join(", ", OF_BROWSERS) + " out, or sends Origin: " + own
                + ".");
        }
    }

    private static boolean isOfBrowser(HttpServletRequest request) {
        return OF_BROWSERS.stream().anyMatch(name -> request.getHeader(name) != null);
    }
}
