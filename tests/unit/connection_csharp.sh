#!/usr/bin/env bash
# The C# bindings under mono, with a real server: structures as C has them, the example with local
# and streamed land, heights, errors, lifetimes, and the README's component with stubs of Unity.
# connection_csharp.sh CORE_LIBRARY CONNECTION_LIBRARY TERRANED TERRANE SOURCE_DIRECTORY
set -euo pipefail
core=$1 connection=$2 terraned=$3 terrane=$4 root=$5
work=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$work"' EXIT
fail() {
  echo "connection_csharp.sh: $*" >&2
  exit 1
}

mkfifo "$work/ready"
timeout 120 "$terraned" --listen 127.0.0.1:0 --no-cache --http 127.0.0.1:0 --log-level warning \
  >"$work/ready" &
server=$!
read -r line <"$work/ready"
address=${line#*grpc }
export TERRANE_SERVER=${address%%,*}
url=ws://${line#*http }
url=${url%%[, ]*}
"$terrane" worlds continents --save "$work/continents.world"

bindings=$root/client-sdk/csharp
headers=$root/client-sdk/include/terrane
compile() {
  mcs -langversion:7.2 -warn:4 -warnaserror+ -out:"$work/$1.exe" "$bindings/Terrane.cs" "${@:2}"
}
# as an engine keeps them: under no other name
mkdir "$work/plugins"
cp -L "$core" "$work/plugins/libterrane_core.so"
cp -L "$connection" "$work/plugins/libterrane_connection.so"
export LD_LIBRARY_PATH=$work/plugins

# Every function is there, but for those of hosts with a connection of their own.
functions() {
  grep -oE '\bterrane_[a-z_]+\(' | tr -d '(' | sort -u
}
grep -vh '@param' "$headers/terrane.h" "$headers/connection.h" |
  sed 's/^ \*.*//; s,/\*.*\*/,,' | functions |
  grep -vxE 'terrane_explorer_(wants_stream|opened|set_token|next_message|receive|closed)' |
  grep -vxE 'terrane_explorer_(next_look|is_overdue)' >"$work/wanted"
grep -E '\bextern\b' "$bindings/Terrane.cs" | grep -v ground_one | functions >"$work/bound"
diff "$work/wanted" "$work/bound" || fail "functions that are not bound, or not there"

# Structures are laid out as in C: sizes and offsets, as the C compiler and mono have them.
python3 - "$headers" >"$work/layout.c" <<'PYTHON'
import re, sys
text = "".join(open(f"{sys.argv[1]}/{name}").read() for name in ("terrane.h", "connection.h"))
text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
print('#include <stdio.h>\n#include "terrane/connection.h"\nint main(void) {')
for name, body in re.findall(r"typedef struct (terrane_\w+) \{(.*?)\} \w+;", text, re.S):
    print(f'  printf("{name} %zu\\n", sizeof({name}));')
    for line in body.split(";"):
        for word in line.split(","):
            field = re.search(r"(\w+)\s*(\[\w+\])?\s*$", word)
            if field:
                print(f'  printf("{name} {field[1].replace("_", "")} %zu\\n", '
                      f"offsetof({name}, {field[1]}));")
print("}")
PYTHON
cc -std=c99 -I"$root/client-sdk/include" "$work/layout.c" -o "$work/layout"
"$work/layout" | sort >"$work/in_c"
cat >"$work/Layout.cs" <<'CSHARP'
using System;
using System.Reflection;
using System.Runtime.InteropServices;
using System.Text.RegularExpressions;

static class Layout
{
    static void Main()
    {
        const BindingFlags all =
            BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic;
        foreach (Type type in typeof(Terrane.World).Assembly.GetTypes())
        {
            if (!type.IsValueType || type.IsEnum || type.Namespace != "Terrane") continue;
            if (type.Name == "ChunkView" || type.Name == "Place") continue;  // our own
            string name = Regex.Replace(type.Name, "^Native|^Explore(?=Event)", "");
            name = "terrane" + Regex.Replace(name, "[A-Z]", "_$0").ToLowerInvariant();
            Console.WriteLine(name + " " + Marshal.SizeOf(type));
            foreach (FieldInfo field in type.GetFields(all))
            {
                if (Regex.IsMatch(field.Name, "^(Normal(Y|Z|Up)|(Biome|Weight)[123])$")) continue;
                string word = Regex.Replace(field.Name, "(Byte|Flag|Pointer)$", "");
                word = Regex.Replace(word, "^NormalX$", "normal");
                word = Regex.Replace(word, "^(Biome|Weight)0$", "$1s").ToLowerInvariant();
                Console.WriteLine(name + " " + word + " " + Marshal.OffsetOf(type, field.Name));
            }
        }
        Console.WriteLine("terrane_error " + Terrane.Failure.Size);
        Console.WriteLine("terrane_error structsize 0");
        Console.WriteLine("terrane_error code " + Terrane.Failure.CodeAt);
        Console.WriteLine("terrane_error message " + Terrane.Failure.MessageAt);
    }
}
CSHARP
compile layout_of "$work/Layout.cs"
mono "$work/layout_of.exe" | sort >"$work/in_csharp"
diff "$work/in_c" "$work/in_csharp" || fail "structures that C has otherwise"
[ "$(wc -l <"$work/in_c")" -gt 150 ] || fail "few structures"

# terrane_connection takes the terrane_core of its own folder, whatever is called first.
cat >"$work/First.cs" <<'CSHARP'
using System;
using System.IO;

static class First
{
    static void Main(string[] arguments)
    {
        if (arguments.Length == 0) Console.Error.WriteLine(Terrane.Connection.Now);
        else Download(arguments[0]);
        foreach (string line in File.ReadAllLines("/proc/self/maps"))
            if (line.Contains("libterrane_")) Console.WriteLine(line.Substring(line.IndexOf('/')));
    }

    static void Download(string url)
    {
        Terrane.World.Download(new Terrane.ConnectionOptions { Urls = url }, "continents");
    }
}
CSHARP
compile first "$work/First.cs"
printf '%s\n' "$work"/plugins/libterrane_{connection,core}.so >"$work/loaded"
mono "$work/first.exe" 2>/dev/null | sort -u | diff "$work/loaded" - || fail "other libraries"
mono "$work/first.exe" "$url" | sort -u | diff "$work/loaded" - || fail "other libraries"

# The example, with land made here and with streamed land.
compile walk "$root/client-sdk/examples/csharp/Walk.cs"
mono "$work/walk.exe" "$work/continents.world" continents 7 >"$work/local" &
walk=$!
mono "$work/walk.exe" "$url" continents 7 >"$work/streamed"
wait "$walk"
cat "$work/local" "$work/streamed"
for kind in local streamed; do
  grep -qE '[1-9][0-9]+ chunks at hand, [1-9][0-9]{4,} triangles' "$work/$kind" ||
    fail "no $kind land"
  bytes=$(sed -nE 's/.* ([0-9]+) bytes allocated a frame$/\1/p' "$work/$kind")
  [ "$bytes" -le 64 ] || fail "$kind: $bytes bytes allocated a frame"
done
refused() {  # refused WORDS ARGUMENTS...
  local status=0
  mono "$work/walk.exe" "${@:2}" 2>"$work/refusal" || status=$?
  [ "$status" = 1 ] || fail "${*:2}: status $status"
  grep -q "$1" "$work/refusal" || fail "${*:2}: $(cat "$work/refusal")"
}
refused 'no world' "$root/README.md"
refused 'atlantis' "$url" atlantis

# What the bindings say is what the server says; wrong arguments; lifetimes.
"$terrane" --world continents --seed 7 sample 100,0 -12,67 33,-41 --json >"$work/said"
cat >"$work/Checks.cs" <<'CSHARP'
using System;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Threading;
using Terrane;

static class Checks
{
    static readonly Block[] blocks = { new Block(100, 0), new Block(-12, 67), new Block(33, -41) };
    static readonly ExploreEvent[] events = new ExploreEvent[16];
    static readonly Placement[] placements = new Placement[8];
    static readonly Box[] boxes = new Box[256];
    static int boxesSeen, placed;

    static void Check(bool holds, string what)
    {
        if (!holds) throw new Exception(what);
    }

    static void Refused(Code code, string words, Action what)
    {
        try
        {
            what();
        }
        catch (TerraneException error)
        {
            Check(error.Code == code && error.Message.Contains(words),
                  words + ": " + error.Code + ": " + error.Message);
            return;
        }
        Check(false, "not refused: " + words);
    }

    static ExploreOptions Options()
    {
        return new ExploreOptions {
            World = "continents", Seed = 7, ViewDistances = new byte[] { 4 }
        };
    }

    static void Drain(Explorer explorer, World world)
    {
        int count;
        do
        {
            count = explorer.Poll(events);
            for (int k = 0; k < count; ++k)
            {
                if (events[k].Kind != EventKind.Arrived) continue;
                ChunkView chunk = events[k].Chunk;
                Check(chunk.Tile.Equals(events[k].Tile), "another chunk's tile");
                for (int k2 = 0; k2 < chunk.PlacementCount; ++k2, ++placed)
                    Check(chunk.Placement(k2).Kind < world.PlacementKinds.Length, "no such kind");
            }
        } while (count == events.Length);
    }

    static double[] Heights(Explorer explorer, World world, Connection connection)
    {
        var heights = new double[blocks.Length];
        for (int turn = 0; turn < 400; ++turn)
        {
            explorer.Move(new Pose { X = 10, Y = 10 });
            while (explorer.Work()) {}
            Drain(explorer, world);
            if (connection != null) connection.Flush();
            if (connection != null) connection.Wait(20);
            int known = 0;
            for (int k = 0; k < blocks.Length; ++k)
            {
                Ground ground = explorer.Land.Ground(blocks[k].X, blocks[k].Y);
                heights[k] = ground.Height;
                known += ground.Known ? 1 : 0;
            }
            if (known == blocks.Length && explorer.Land.Count > 40) return heights;
        }
        throw new Exception("no land has come");
    }

    /// Structures lie in coarse chunks, their rooms in fine ones.
    static void CheckRooms(World world)
    {
        for (int at = 0; at < 64; ++at)
        {
            using (Chunk coarse = Chunk.Generate(world, 7, new Tile(at % 8, at / 8, 4)))
            {
                if (coarse.View.StructureCount == 0) continue;
                Structure found = coarse.View.Structure(coarse.View.StructureCount - 1);
                int rooms = 0;
                for (long y = found.From.Y >> 6; y <= found.To.Y >> 6; ++y)
                {
                    for (long x = found.From.X >> 6; x <= found.To.X >> 6; ++x)
                        rooms += RoomsOf(world, found, new Tile(x, y, 0));
                }
                Check(rooms == found.Rooms && rooms > 0, rooms + " rooms of " + found.Rooms);
                Console.WriteLine("{0}: {1} rooms of {2} boxes, {3} things",
                                  world.StructureKinds[found.Kind].Name, rooms, boxesSeen, placed);
                return;
            }
        }
        Check(false, "no structures");
    }

    static void CheckObstacles(Land land, World world)
    {
        var all = new Placement[2000];
        int count = Math.Min(land.Placements(10, 10, 200, all), all.Length), solid = 0;
        for (int k = 0; k < count && solid < 3; ++k)
        {
            Kind kind = world.PlacementKinds[all[k].Kind];
            if (kind.Solid != ObstaclePart.Trunk) continue;
            var bodies = new Body[2];
            var found = new Obstacle[6];
            var counts = new uint[2];
            bodies[1] = new Body {
                X = all[k].Anchor.X + 0.1, Y = all[k].Anchor.Y, Radius = 0.3f, Height = 1.8f,
                Bottom = land.Ground(all[k].Anchor.X, all[k].Anchor.Y).Height
            };
            land.Obstacles(world, bodies, 2, found, 3, counts);
            float way = kind.SolidRadius * all[k].Scale / 100 + 0.2f;
            Check(counts[1] >= 1 && found[3].Part == kind.Solid &&
                  Math.Abs(found[3].PushX - way) < 1e-3 && found[3].Of.Equals(all[k].Anchor) &&
                  Math.Abs(found[3].Distance + way) < 1e-3, "an obstacle");
            ++solid;
        }
        Check(solid == 3, solid + " obstacles");
        using (Chunk chunk = Chunk.Generate(world, 7, new Tile(0, 0, 3)))
        using (var far = new Land())
        {
            var trees = new FarTree[1024];
            far.Put(chunk);
            int forest = far.FarTrees(world, new Tile(0, 0, 3), trees);
            Check(forest > 50 && trees.Take(forest).All(
                t => t.Trees >= 1 && t.Height > 1 && t.X < 512 &&
                     world.PlacementKinds[t.Kind].Solid == ObstaclePart.Trunk), "far trees");
        }
    }

    static int RoomsOf(World world, Structure structure, Tile tile)
    {
        int count = 0;
        using (Chunk chunk = Chunk.Generate(world, 7, tile))
        {
            ChunkView view = chunk.View;
            for (int k = 0; k < view.RoomCount; ++k)
            {
                Room room = view.Room(k);
                if (!room.Structure.Equals(structure.Anchor)) continue;
                Piece piece = world.StructureKinds[room.Kind].Pieces[room.Piece];
                int parts = world.RoomBoxes(room, boxes);
                Check(parts > piece.Levels && parts <= boxes.Length, parts + " boxes");
                for (int part = 0; part < parts; ++part)
                {
                    Box box = boxes[part];
                    Check(box.From.X >= room.Corner.X && box.From.Y >= room.Corner.Y &&
                          box.To.X > box.From.X && box.Top > box.Bottom &&
                          box.Part >= BoxPart.Floor && box.Part <= BoxPart.Roof, "a box");
                }
                boxesSeen += parts;
                ++count;
            }
        }
        return count;
    }

    static void Forget(World world, string url)
    {
        Explorer explorer = Explorer.Streamed(Options());
        Connection.Open(new ConnectionOptions { Urls = url }, explorer);
        explorer.Move(new Pose());
        Explorer.Local(world, Options()).Move(new Pose());
        new TileMesh();
    }

    static void Main(string[] arguments)
    {
        byte[] file = File.ReadAllBytes(arguments[0]);
        string url = arguments[1];
        double[] said = arguments.Skip(2)
            .Select(text => double.Parse(text, CultureInfo.InvariantCulture)).ToArray();
        World world = World.Download(new ConnectionOptions { Urls = url }, "continents");
        World local = World.Open(file);
        Check(local.Info.Fingerprint == world.Info.Fingerprint && world.Info.ChunkSize == 64 &&
              world.Info.Name == "continents" && world.Biomes.Length > 5 &&
              world.Biomes.All(biome => biome.Name != ""), "the world is another");
        Check(world.StructureKinds.Length > 0 && world.StructureKinds.All(
            kind => kind.Pieces.All(p => p.Width > 0 && p.Doors.All(d => d.Side < 4))), "pieces");

        var samples = new Sample[blocks.Length];
        local.Sample(7, blocks, samples);
        Check(samples.Select(s => s.HeightQ4 / 16.0).SequenceEqual(said), "samples differ");
        Explorer judged = Explorer.Judged(local, Options());
        Connection judge = Connection.Open(new ConnectionOptions { Urls = url }, judged);
        Check(Heights(judged, world, judge).SequenceEqual(said), "judged land differs");
        Check(judged.Error == null, "an error without one");
        judge.Dispose();
        judged.Dispose();
        Explorer made = Explorer.Local(local, Options());
        local.Dispose();
        Check(Heights(made, world, null).SequenceEqual(said), "local land differs");
        Hit hit;
        Check(made.Land.Ray(new Place(33, -41, 5000), new Place(0, 0, -1), 9999, out hit) &&
              Math.Abs(hit.Height - said[2]) < 1e-3, "the ray meets other ground");
        Check(!made.Land.Ray(new Place(33, -41, 5000), new Place(0, 0, 1), 9, out hit), "no hit");
        int near = made.Land.Placements(10, 10, 200, placements);
        Check(near > 8 && placements[0].Scale > 0, near + " placements");
        CheckObstacles(made.Land, world);

        Explorer explorer = Explorer.Streamed(Options());
        Connection connection = Connection.Open(new ConnectionOptions { Urls = url }, explorer);
        Check(Heights(explorer, world, connection).SequenceEqual(said), "streamed land differs");
        Check(explorer.Error == null, "an error without one");

        using (Chunk chunk = Chunk.Generate(world, 7, new Tile(0, 0, 0)))
        using (var land = new Land())
        {
            int[] heights = null, again = null;
            var buffer = new byte[1 << 20];
            Check(chunk.View.CopyHeightQ4(ref heights) && heights[0] != 0, "no heights");
            int size = chunk.Encode(buffer);
            using (Chunk other = Chunk.Decode(buffer, size, new Tile(0, 0, 0)))
                Check(other.View.CopyHeightQ4(ref again) && again.SequenceEqual(heights), "codec");
            land.Put(chunk);
            Check(land.Count == 1 && land.Ground(1, 0).Height == heights[1] / 16.0, "put");
            land.Remove(new Tile(0, 0, 0));
            Check(land.Count == 0, "removed");
            Refused(Code.DataLoss, "", () => Chunk.Decode(buffer, size / 2, new Tile(0, 0, 0)));
            Refused(Code.InvalidArgument, "explorer", () => made.Land.Put(chunk));
        }

        Refused(Code.InvalidArgument, "no world", () => World.Open(new byte[] { 1, 2, 3 }));
        Refused(Code.OutOfRange, "", () => world.Sample(
            7, new[] { new Block(long.MaxValue, 0) }, samples));
        Refused(Code.InvalidArgument, "", () => made.Move(new Pose { X = double.NaN }));
        Refused(Code.InvalidArgument, "65", () => Explorer.Streamed(
            new ExploreOptions { World = "x", ViewDistances = new byte[] { 65 } }));
        Refused(Code.InvalidArgument, "ftp", () => Connection.Open(
            new ConnectionOptions { Urls = "ftp://x" }, explorer));
        Refused(Code.FailedPrecondition, "", () => Connection.Open(
            new ConnectionOptions { Urls = url }, made));
        Refused(Code.FailedPrecondition, "", () => connection.SetToken("one"));
        Refused(Code.NotFound, "atl\u00e4ntis", () => World.Download(
            new ConnectionOptions { Urls = url }, "atl\u00e4ntis"));

        CheckRooms(world);
        // in the wrong order, twice, with threads at work, and not at all
        made.StartWorkers(2);
        made.Move(new Pose { X = 5000 });
        made.Dispose();
        made.Dispose();
        explorer.Dispose();
        connection.Flush();
        connection.Dispose();
        connection.Close();
        try
        {
            made.Poll(events);
            Check(false, "a poll after the end");
        }
        catch (ObjectDisposedException) {}
        var thread = new Thread(() => { for (int k = 0; k < 5; ++k) Forget(world, url); });
        thread.Start();
        thread.Join();
        GC.Collect();
        GC.WaitForPendingFinalizers();
        world.Dispose();
    }
}
CSHARP
compile checks -r:System.Core.dll "$work/Checks.cs"
mapfile -t said < <(python3 -c 'import json, sys
for sample in json.load(sys.stdin): print(sample["height"])' <"$work/said")
mono "$work/checks.exe" "$work/continents.world" "$url" "${said[@]}"

# The README's component, with what it needs of Unity: every triangle faces up, heights are where
# the world has them, and after a long way the land is still near the origin.
sed -n '/^```csharp$/,/^```$/p' "$bindings/README.md" | grep -v '^```' >"$work/TerraneLand.cs"
cat >"$work/Unity.cs" <<'CSHARP'
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Threading;
using UnityEngine.Rendering;

namespace UnityEngine
{
    public struct Vector3
    {
        public float x, y, z;
        public Vector3(float x, float y, float z) { this.x = x; this.y = y; this.z = z; }
    }
    public struct Bounds
    {
        public Vector3 center, size;
        public Bounds(Vector3 center, Vector3 size) { this.center = center; this.size = size; }
    }
    public class Object
    {
        public static readonly List<Object> Destroyed = new List<Object>();
        public static void Destroy(Object what) { Destroyed.Add(what); }
    }
    public class Component : Object {}
    public class Transform : Component
    {
        public Vector3 position { get; set; }
        public Vector3 forward { get { return new Vector3(1, 0, 0); } }
    }
    public class MonoBehaviour : Component { public bool enabled { get; set; } }
    public class Material : Object {}
    public class MeshFilter : Component { public Mesh sharedMesh { get; set; } }
    public class MeshRenderer : Component { public Material sharedMaterial { get; set; } }
    public class GameObject : Object
    {
        public static readonly List<GameObject> All = new List<GameObject>();
        readonly Component[] components;
        public string name;
        public bool activeSelf;
        public Transform transform { get; } = new Transform();
        public GameObject(string name, params Type[] types)
        {
            this.name = name;
            components = types.Select(t => (Component)Activator.CreateInstance(t)).ToArray();
            All.Add(this);
        }
        public void SetActive(bool active) { activeSelf = active; }
        public T GetComponent<T>() where T : Component { return components.OfType<T>().First(); }
    }
    public class Mesh : Object
    {
        public float[] Vertices;
        public int[] Indices;
        public int Stride;
        public Bounds bounds { get; set; }
        public int subMeshCount { get; set; }
        public void SetVertexBufferParams(int count, params VertexAttributeDescriptor[] layout)
        {
            Stride = layout.Sum(
                a => a.dimension * (a.format == VertexAttributeFormat.Float32 ? 4 : 1));
            Vertices = new float[count * Stride / 4];
        }
        public void SetVertexBufferData<T>(T[] data, int from, int to, int count, int stream,
                                           MeshUpdateFlags flags) where T : struct
        {
            if (count != Vertices.Length) throw new ArgumentException("vertices");
            Array.Copy(data, from, Vertices, to, count);
        }
        public void SetIndexBufferParams(int count, IndexFormat format)
        {
            if (format != IndexFormat.UInt32) throw new ArgumentException("indices of 16 bits");
            Indices = new int[count];
        }
        public void SetIndexBufferData<T>(T[] data, int from, int to, int count,
                                          MeshUpdateFlags flags) where T : struct
        {
            Array.Copy(data, from, Indices, to, count);
        }
        public void SetSubMesh(int index, SubMeshDescriptor mesh, MeshUpdateFlags flags) {}
    }
    public static class Application { public static string streamingAssetsPath { get; set; } }
    public static class SystemInfo { public static int processorCount { get { return 2; } } }
    public static class Debug { public static void LogException(Exception e) { throw e; } }
}

namespace UnityEngine.Rendering
{
    public enum IndexFormat { UInt16, UInt32 }
    public enum VertexAttribute { Position, Normal, Tangent, Color, TexCoord0, TexCoord1 }
    public enum VertexAttributeFormat { Float32, Float16, UNorm8, SNorm8, UNorm16, SNorm16, UInt8 }
    [Flags]
    public enum MeshUpdateFlags { DontValidateIndices = 1, DontRecalculateBounds = 8 }
    public struct SubMeshDescriptor { public SubMeshDescriptor(int first, int count) {} }
    public struct VertexAttributeDescriptor
    {
        public VertexAttributeFormat format;
        public int dimension;
        public VertexAttributeDescriptor(VertexAttribute what, VertexAttributeFormat format,
                                         int size)
        {
            this.format = format;
            dimension = size;
        }
    }
}

static class Game
{
    static void Call(TerraneLand land, string method)
    {
        typeof(TerraneLand).GetMethod(method, BindingFlags.NonPublic | BindingFlags.Instance)
            .Invoke(land, null);
    }

    static void Main(string[] arguments)
    {
        UnityEngine.Application.streamingAssetsPath = arguments[0];
        var player = new UnityEngine.Transform();
        var land = new TerraneLand { enabled = true, player = player, source = arguments[1] };
        Call(land, "OnEnable");
        for (int frame = 0; frame < 90; ++frame)
        {
            if (frame == 30) player.position = new UnityEngine.Vector3(3000, 0, 5000);
            Call(land, "Update");
            Thread.Sleep(8);
        }
        float height;
        if (player.position.x != 0 || player.position.z != 0) throw new Exception("far away");
        if (!land.GroundAt(player.position, out height)) throw new Exception("no ground");
        long up = 0, level = 0;
        var blocks = new List<Terrane.Block>();
        var heights = new List<float>();
        foreach (UnityEngine.GameObject part in UnityEngine.GameObject.All)
        {
            if (UnityEngine.Object.Destroyed.Contains(part) || !part.activeSelf) continue;
            UnityEngine.Mesh mesh = part.GetComponent<UnityEngine.MeshFilter>().sharedMesh;
            float[] v = mesh.Vertices;
            int step = mesh.Stride / 4;
            for (int k = 0; k < mesh.Indices.Length; k += 3)
            {
                int a = mesh.Indices[k] * step, b = mesh.Indices[k + 1] * step;
                int c = mesh.Indices[k + 2] * step;
                // the y of (b - a) x (c - a): in left-handed axes clockwise faces look along it
                double y = (double)(v[b + 2] - v[a + 2]) * (v[c] - v[a]) -
                           (double)(v[b] - v[a]) * (v[c + 2] - v[a + 2]);
                if (y < 0) throw new Exception("a triangle faces down");
                if (y > 0) ++up; else ++level;  // skirts are upright
            }
            if (part.name != "ground") continue;
            if (v[4] <= 0) throw new Exception("a normal points down");
            // in Unity the first vertex lies at part's place, here 3000 east and 5000 north
            blocks.Add(new Terrane.Block((long)(part.transform.position.x + v[0]) + 3000,
                                         -(long)(part.transform.position.z + v[2]) - 5000));
            heights.Add(v[1]);
        }
        Console.WriteLine("{0} triangles face up, {1} are upright, {2} tiles", up, level,
                          blocks.Count);
        if (up < 100000 || level > up / 10) throw new Exception("other triangles");
        var samples = new Terrane.Sample[blocks.Count];
        using (var world = Terrane.World.Open(File.ReadAllBytes(arguments[2])))
            world.Sample(7, blocks.ToArray(), samples);
        int same = samples.Where((s, k) => s.HeightQ4 / 16f == heights[k]).Count();
        if (same < blocks.Count * 9 / 10) throw new Exception(same + " heights are right");
        land.enabled = false;
        Call(land, "OnDisable");
        if (UnityEngine.GameObject.All.Any(o => !UnityEngine.Object.Destroyed.Contains(o)))
            throw new Exception("objects are left");
    }
}
CSHARP
compile game -r:System.Core.dll "$work/Unity.cs" "$work/TerraneLand.cs"
mono "$work/game.exe" "$work" continents.world "$work/continents.world"
mono "$work/game.exe" "$work" "$url" "$work/continents.world"
