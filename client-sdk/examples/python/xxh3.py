"""XXH3-64 of xxHash 0.8, the checksum of FORMAT.md, in plain Python: slow, and nothing to install.

Where the package xxhash is there, `xxhash.xxh3_64_intdigest(data, seed)` gives the same number.
"""

# The constants and steps are those of the algorithm (https://xxhash.com): XXH3, 64 bits, with the
# default secret.
SECRET = bytes.fromhex(
    "b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671f"
    "cb79e64eccc0e578825ad07dccff7221b8084674f743248ee03590e6813a264c"
    "3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8"
    "a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364"
    "eac5ac8334d3ebc3c581a0fffa1363eb170ddd51b7f0da49d316552629d4689e"
    "2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e"
)
PRIMES_32 = (0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D)
PRIMES_64 = (0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x85EBCA77C2B2AE63,
             0x27D4EB2F165667C5)
LOW_32 = (1 << 32) - 1
LOW_64 = (1 << 64) - 1
STRIPE = 64  # bytes that eight sums take in at once
STRIPES_A_BLOCK = (len(SECRET) - STRIPE) // 8


def u32(data, at):
    return int.from_bytes(data[at:at + 4], "little")


def u64(data, at):
    return int.from_bytes(data[at:at + 8], "little")


def byte_swapped(number, size):
    return int.from_bytes(number.to_bytes(size, "little"), "big")


def rotated(number, bits):
    return (number << bits | number >> 64 - bits) & LOW_64


def folded_product(a, b):
    product = (a & LOW_64) * (b & LOW_64)
    return product & LOW_64 ^ product >> 64


def avalanche(number):
    number ^= number >> 37
    number = number * 0x165667919E3779F9 & LOW_64
    return number ^ number >> 32


def avalanche_of_xxh64(number):
    number ^= number >> 33
    number = number * PRIMES_64[1] & LOW_64
    number ^= number >> 29
    number = number * PRIMES_64[2] & LOW_64
    return number ^ number >> 32


def mixed(data, at, secret_at, seed):
    """What 16 bytes add to the hash."""
    return folded_product(u64(data, at) ^ (u64(SECRET, secret_at) + seed & LOW_64),
                          u64(data, at + 8) ^ (u64(SECRET, secret_at + 8) - seed & LOW_64))


def hash_up_to_16(data, seed):
    size = len(data)
    if size > 8:
        low = u64(data, 0) ^ ((u64(SECRET, 24) ^ u64(SECRET, 32)) + seed & LOW_64)
        high = u64(data, size - 8) ^ ((u64(SECRET, 40) ^ u64(SECRET, 48)) - seed & LOW_64)
        return avalanche(size + byte_swapped(low, 8) + high + folded_product(low, high) & LOW_64)
    if size >= 4:
        seed ^= byte_swapped(seed & LOW_32, 4) << 32
        number = u32(data, size - 4) + (u32(data, 0) << 32)
        number ^= (u64(SECRET, 8) ^ u64(SECRET, 16)) - seed & LOW_64
        number ^= rotated(number, 49) ^ rotated(number, 24)
        number = number * 0x9FB21C651E98DF25 & LOW_64
        number ^= (number >> 35) + size
        number = number * 0x9FB21C651E98DF25 & LOW_64
        return number ^ number >> 28
    if size > 0:
        number = data[0] << 16 | data[size >> 1] << 24 | data[-1] | size << 8
        return avalanche_of_xxh64(number ^ (u32(SECRET, 0) ^ u32(SECRET, 4)) + seed & LOW_64)
    return avalanche_of_xxh64(seed ^ u64(SECRET, 56) ^ u64(SECRET, 64))


def hash_up_to_240(data, seed):
    size = len(data)
    total = size * PRIMES_64[0]
    if size <= 128:
        for k in range((size - 1) // 32 + 1):
            total += mixed(data, 16 * k, 32 * k, seed)
            total += mixed(data, size - 16 * (k + 1), 32 * k + 16, seed)
        return avalanche(total & LOW_64)
    for k in range(8):
        total += mixed(data, 16 * k, 16 * k, seed)
    total = avalanche(total & LOW_64)
    for k in range(8, size // 16):
        total += mixed(data, 16 * k, 16 * (k - 8) + 3, seed)
    return avalanche(total + mixed(data, size - 16, 136 - 17, seed) & LOW_64)


def add_stripe(sums, data, at, secret, secret_at):
    for lane in range(8):
        value = u64(data, at + 8 * lane)
        key = value ^ u64(secret, secret_at + 8 * lane)
        sums[lane ^ 1] = sums[lane ^ 1] + value & LOW_64
        sums[lane] = sums[lane] + (key & LOW_32) * (key >> 32) & LOW_64


def hash_long(data, seed):
    secret = b"".join((u64(SECRET, at) + (seed if at % 16 == 0 else -seed) & LOW_64)
                      .to_bytes(8, "little") for at in range(0, len(SECRET), 8))
    sums = [PRIMES_32[2], *PRIMES_64[:4], PRIMES_32[1], PRIMES_64[4], PRIMES_32[0]]
    stripes = (len(data) - 1) // STRIPE
    for stripe in range(stripes):
        add_stripe(sums, data, STRIPE * stripe, secret, 8 * (stripe % STRIPES_A_BLOCK))
        if stripe % STRIPES_A_BLOCK != STRIPES_A_BLOCK - 1:
            continue
        for lane in range(8):
            key = u64(secret, len(secret) - STRIPE + 8 * lane)
            sums[lane] = ((sums[lane] ^ sums[lane] >> 47) ^ key) * PRIMES_32[0] & LOW_64
    add_stripe(sums, data, len(data) - STRIPE, secret, len(secret) - STRIPE - 7)
    total = len(data) * PRIMES_64[0]
    for k in range(4):
        total += folded_product(sums[2 * k] ^ u64(secret, 11 + 16 * k),
                                sums[2 * k + 1] ^ u64(secret, 19 + 16 * k))
    return avalanche(total & LOW_64)


def xxh3_64(data, seed=0):
    """The hash of some bytes.

    data -- bytes
    seed -- 0 to 2^64 - 1
    """
    if len(data) <= 16:
        return hash_up_to_16(data, seed)
    return hash_up_to_240(data, seed) if len(data) <= 240 else hash_long(data, seed)
