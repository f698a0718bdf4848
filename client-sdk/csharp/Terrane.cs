// Terrane for games in C#: land that a server streams, or that the game's own process makes.
//
// One file to copy, for .NET Standard 2.1, Unity (Mono and IL2CPP) and mono; C# 7.2, no unsafe
// code. It calls the libraries terrane_core and, for streamed land, terrane_connection, whose
// headers terrane.h and connection.h are the reference for what is said here in brief.
//
//   World        what a server tells about a world, or a file holds
//   Explorer     keeps the land around one viewer at hand
//   Connection   brings a streamed explorer its land
//   Land         the chunks at hand: heights, rays, what is to be drawn
//   TileMesh     a tile as triangles
//   Chunk        samples of one tile, and what stands there
//
// x and y lie flat and grow to the east and to the south; heights grow upwards. All in blocks;
// names that end with Q4 are in 1/16 of one.
// Failures are thrown as TerraneException. Objects that are disposed of throw
// ObjectDisposedException; they may be disposed of in any order, on any thread, and what is left to
// the garbage collector goes in the right order, too. Nothing that is called once a frame
// allocates, once its arrays have grown.
// Threads: those of an explorer's Move and Work, Connection.Flush: any. Explorer.Poll and its Land:
// one and the same. World and Chunk: any.
using System;
using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;
using System.Threading;

#pragma warning disable 649  // the libraries fill these fields

namespace Terrane
{
    // ---- Codes and errors ----

    public enum Code
    {
        Ok = 0,
        Cancelled = 1,
        InvalidArgument = 3,
        DeadlineExceeded = 4,
        NotFound = 5,
        PermissionDenied = 7,
        ResourceExhausted = 8,
        FailedPrecondition = 9,
        OutOfRange = 11,
        Internal = 13,
        Unavailable = 14,
        DataLoss = 15,
        Unauthenticated = 16
    }

    public sealed class TerraneException : Exception
    {
        public Code Code { get; }

        public TerraneException(Code code, string message) : base(message)
        {
            Code = code;
        }
    }

    // ---- Places ----

    [StructLayout(LayoutKind.Sequential)]
    public struct Block
    {
        public long X, Y;

        public Block(long x, long y)
        {
            X = x;
            Y = y;
        }
    }

    /// The chunk (X, Y) of a level of detail: samples are 2^Lod blocks apart, and the first of
    /// S x S lies at the block (X * S * 2^Lod, Y * S * 2^Lod).
    [StructLayout(LayoutKind.Sequential)]
    public struct Tile : IEquatable<Tile>
    {
        public long X, Y;
        public uint Lod;
        internal uint Reserved;

        public Tile(long x, long y, uint lod)
        {
            X = x;
            Y = y;
            Lod = lod;
            Reserved = 0;
        }

        public bool Equals(Tile other)
        {
            return X == other.X && Y == other.Y && Lod == other.Lod;
        }

        public override bool Equals(object other)
        {
            return other is Tile && Equals((Tile)other);
        }

        public override int GetHashCode()
        {
            return unchecked(((int)X * 73856093) ^ ((int)Y * 19349663) ^ ((int)Lod * 83492791));
        }

        public override string ToString()
        {
            return "(" + X + ", " + Y + ") of lod " + Lod;
        }
    }

    /// Three numbers: x, y and height.
    [StructLayout(LayoutKind.Sequential)]
    public struct Place
    {
        public double X, Y, Height;

        public Place(double x, double y, double height)
        {
            X = x;
            Y = y;
            Height = height;
        }
    }

    // ---- Worlds ----

    public sealed class WorldInfo
    {
        public int ChunkSize;     // S: samples along one edge of a chunk
        public ulong Fingerprint; // worlds with the same one have the same land for the same seed
        public string Name, Title, Description;
        public int MaxLod;
        public int SeaLevelQ4;
        public Layers Layers;
    }

    /// What a biome, a kind of placement or a kind of structure is called, and looks like on a map.
    public sealed class Kind
    {
        public string Name;
        public uint Color;             // 0xRRGGBB
        public int RadiusQ4, HeightQ4; // of a placement at scale 100; of a structure's storey
        public Piece[] Pieces;         // of a structure's kind: its rooms, before they are turned
        public ObstaclePart Solid;     // of a placement's: Trunk or Rock; 0: nothing is in the way
        public float SolidRadius;      // blocks, at scale 100; as high as HeightQ4
    }

    public sealed class Piece
    {
        public string Name;
        public int Width, Depth, Levels; // blocks along x and y, storeys
        public Door[] Doors;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct Door
    {
        public byte Side;  // of the piece: 0 smallest y, 1 largest x, 2 largest y, 3 smallest x
        public byte At;    // blocks along the side from its end of smaller x or y
        public byte Level; // storeys above the piece's lowest floor
        internal byte Reserved;
    }

    public sealed class NamedPlace
    {
        public string Name;
        public Block Block;
        public bool Spawn; // players may begin there
    }

    /// The layers at a block.
    [StructLayout(LayoutKind.Sequential)]
    public struct Sample
    {
        public int HeightQ4;
        public int WaterQ4; // or World.NoWater
        public short TemperatureD, HumidityD; // 1/10 degree Celsius, 1/10 percent
        public byte Biome;
        public byte ForestP, RocksP; // percent
    }

    /// A world: its names, and what its land is made from. Does not change; any thread.
    public sealed class World : IDisposable
    {
        public const int NoWater = -524288;

        internal readonly WorldHandle Handle;

        public WorldInfo Info { get; }
        /// Indexed by what chunks, grounds and placements hold. Servers may send others, should
        /// they have another world: look at the length before an index is used.
        public Kind[] Biomes { get; }
        public Kind[] PlacementKinds { get; }
        public Kind[] StructureKinds { get; }
        public NamedPlace[] Places { get; }

        /// Reads a world, as `terrane worlds NAME --save FILE` writes it. Takes up to some tenths
        /// of a second.
        /// Errors: InvalidArgument for what is none, FailedPrecondition for one that another
        /// version of the generator made.
        public static World Open(byte[] bytes)
        {
            if (bytes == null) throw new ArgumentNullException(nameof(bytes));
            IntPtr world;
            Failure.Check(Core.terrane_world_open(Core.AbiVersion, bytes, Core.Size(bytes.Length),
                                                  out world, Failure.Buffer));
            return new World(new WorldHandle(world));
        }

        /// Asks a server what a world of it is. Blocks, for the options' patience at most, and as
        /// long as the system takes to look a name up: not on a game's main thread.
        /// Errors: those of Connection.Open and World.Open; Unavailable, DeadlineExceeded, and what
        /// the server answers: NotFound, Unauthenticated, ...
        public static World Download(ConnectionOptions options, string name)
        {
            using (var native = new NativeConnection(options))
            {
                IntPtr world;
                Core.terrane_abi_version();
                Failure.Check(Carrier.Download(ref native.Options, Utf8.Bytes(name), out world));
                return new World(new WorldHandle(world));
            }
        }

        /// The layers at single blocks, whatever chunks are at hand. Blocks side by side take half
        /// a microsecond each, those 64 blocks apart a hundred.
        /// Errors: OutOfRange for blocks outside of the world.
        public void Sample(ulong seed, Block[] blocks, Sample[] samples)
        {
            if (samples.Length < blocks.Length) throw new ArgumentException("too few samples");
            Failure.Check(Core.terrane_world_sample(Handle, seed, blocks, Core.Size(blocks.Length),
                                                    samples, Failure.Buffer));
        }

        /// A room as boxes that do not overlap: floors, walls with gaps for the open doors, and a
        /// roof. Returns how many there are; those that fit are written.
        public int RoomBoxes(in Room room, Box[] boxes)
        {
            Room copy = room;
            return Core.Count(Core.terrane_room_boxes(Handle, ref copy, boxes,
                                                      Core.Size(boxes.Length)));
        }

        /// The holes, for Land.Patch, where the ground would lie inside of a room: dungeons are entered
        /// through them. Returns how many there are; those that fit are written.
        public int RoomHoles(in Room room, Land land, Patch[] holes)
        {
            Room copy = room;
            return Core.Count(Core.terrane_room_holes(Handle, ref copy, land.Handle, holes,
                                                      Core.Size(holes.Length)));
        }

        /// Explorers that were made of it go on.
        public void Dispose()
        {
            Handle.Dispose();
        }

        World(WorldHandle handle)
        {
            Handle = handle;
            var info = new NativeWorldInfo { StructSize = Core.SizeOf<NativeWorldInfo>() };
            Core.terrane_world_get_info(handle, ref info);
            Info = new WorldInfo {
                ChunkSize = (int)info.ChunkSize,
                Fingerprint = info.Fingerprint,
                Name = Utf8.Text(info.Name),
                Title = Utf8.Text(info.Title),
                Description = Utf8.Text(info.Description),
                MaxLod = (int)info.MaxLod,
                SeaLevelQ4 = info.SeaLevelQ4,
                Layers = (Layers)info.Layers
            };
            Biomes = Kinds(info.Biomes, Core.terrane_world_biome);
            PlacementKinds = Kinds(info.PlacementKinds, Core.terrane_world_placement_kind);
            StructureKinds = Kinds(info.StructureKinds, Core.terrane_world_structure_kind);
            for (uint kind = 0; kind < info.StructureKinds; ++kind)
            {
                Piece[] pieces = StructureKinds[kind].Pieces;
                for (uint k = 0; k < pieces.Length; ++k) pieces[k] = PieceOf(kind, k);
            }
            Places = new NamedPlace[info.Places];
            for (uint k = 0; k < info.Places; ++k)
            {
                var place = new NativePlaceInfo { StructSize = Core.SizeOf<NativePlaceInfo>() };
                Failure.Check(Core.terrane_world_place(handle, k, ref place), "no such place");
                Places[k] = new NamedPlace {
                    Name = Utf8.Text(place.Name), Block = place.Block, Spawn = place.Spawn == 1
                };
            }
        }

        delegate int KindOf(WorldHandle world, uint index, ref NativeKindInfo info);

        Kind[] Kinds(uint count, KindOf of)
        {
            var kinds = new Kind[count];
            for (uint k = 0; k < count; ++k)
            {
                var info = new NativeKindInfo { StructSize = Core.SizeOf<NativeKindInfo>() };
                Failure.Check(of(Handle, k, ref info), "no such kind");
                kinds[k] = new Kind {
                    Name = Utf8.Text(info.Name),
                    Color = info.Color,
                    RadiusQ4 = info.RadiusQ4,
                    HeightQ4 = info.HeightQ4,
                    Pieces = new Piece[info.Pieces],
                    Solid = (ObstaclePart)info.Solid,
                    SolidRadius = info.SolidRadius
                };
            }
            return kinds;
        }

        Piece PieceOf(uint kind, uint index)
        {
            var info = new NativePieceInfo { StructSize = Core.SizeOf<NativePieceInfo>() };
            Failure.Check(Core.terrane_world_piece(Handle, kind, index, ref info), "no such piece");
            var doors = new Door[info.DoorCount];
            for (int k = 0; k < doors.Length; ++k)
            {
                doors[k] = new Door {
                    Side = info.Doors[4 * k],
                    At = info.Doors[4 * k + 1],
                    Level = info.Doors[4 * k + 2]
                };
            }
            return new Piece {
                Name = Utf8.Text(info.Name),
                Width = info.Width,
                Depth = info.Depth,
                Levels = info.Levels,
                Doors = doors
            };
        }
    }

    // ---- Chunks ----

    [Flags]
    public enum Layers : uint
    {
        Height = 1 << 1,
        Temperature = 1 << 2,
        Humidity = 1 << 3,
        Biome = 1 << 4,
        Water = 1 << 5,
        Forest = 1 << 6,
        Rocks = 1 << 7,
        Placements = 1 << 8, // at lod 0
        Structures = 1 << 9, // up to lod 4; rooms at lod 0
        All = 0xffffffff
    }

    /// A tree, a boulder, ... Its block is also its id.
    [StructLayout(LayoutKind.Sequential)]
    public struct Placement
    {
        public Block Anchor;
        public byte Kind;
        public byte Turn;  // 1/256 of a full turn
        public byte Scale; // percent of the kind's height and radius
    }

    /// A building, a ruin, a dungeon: the block before its door is its id.
    [StructLayout(LayoutKind.Sequential)]
    public struct Structure
    {
        public Block Anchor;
        public byte Kind;
        public ushort Rooms;
        public Block From, To; // its rooms lie between these blocks, both included
    }

    /// One room of a structure; (Structure, Index) is its id.
    [StructLayout(LayoutKind.Sequential)]
    public struct Room
    {
        public Block Corner; // of smallest x and y
        public int FloorQ4;
        public Block Structure;
        public ushort Index; // 0: the entrance
        public byte Kind, Piece;
        public byte Turn;      // quarter turns, from +x towards +y
        public byte OpenDoors; // bit k: the piece's door k leads somewhere
    }

    public enum BoxPart : byte { Floor = 1, Wall = 2, Lintel = 3, Roof = 4 }

    /// A part of a room that is in the way: to be drawn, and to stand on.
    [StructLayout(LayoutKind.Sequential)]
    public struct Box
    {
        public Block From, To;    // From <= x < To
        public float Bottom, Top; // heights
        public BoxPart Part;
        public byte Level; // storey: 0 is the lowest
        internal ushort Reserved;
    }

    /// What a chunk holds: S * S samples a layer, rows of growing x, the first row at the smallest
    /// y. Of an event it can be read until the next poll, of a Chunk until that is disposed of.
    public readonly struct ChunkView
    {
        readonly NativeChunkInfo info;
        readonly object keeper;

        public Tile Tile { get { return info.Tile; } }
        public int Size { get { return (int)info.Size; } }
        public int PlacementCount { get { return Core.Count(info.PlacementCount); } }
        public int StructureCount { get { return Core.Count(info.StructureCount); } }
        public int RoomCount { get { return Core.Count(info.RoomCount); } }

        internal ChunkView(IntPtr chunk, object keeper)
        {
            info = new NativeChunkInfo { StructSize = Core.SizeOf<NativeChunkInfo>() };
            if (chunk != IntPtr.Zero) Core.terrane_chunk_get_info(chunk, ref info);
            this.keeper = keeper;
        }

        // Each copies a layer to an array, which grows where it is too small; false where the
        // chunk has no such layer.
        public bool CopyHeightQ4(ref int[] into) { return Copy(info.HeightQ4, ref into); }
        public bool CopyWaterQ4(ref int[] into) { return Copy(info.WaterQ4, ref into); }
        public bool CopyTemperatureD(ref short[] into) { return Copy(info.TemperatureD, ref into); }
        public bool CopyHumidityD(ref short[] into) { return Copy(info.HumidityD, ref into); }
        public bool CopyBiome(ref byte[] into) { return Copy(info.Biome, ref into); }
        public bool CopyForestP(ref byte[] into) { return Copy(info.ForestP, ref into); }
        public bool CopyRocksP(ref byte[] into) { return Copy(info.RocksP, ref into); }

        // Fields are read one by one, as that needs neither unsafe code nor the heap.
        public Placement Placement(int index)
        {
            IntPtr at = At(info.Placements, index, PlacementCount, 24);
            var placement = new Placement {
                Anchor = BlockAt(at, 0),
                Kind = Marshal.ReadByte(at, 16),
                Turn = Marshal.ReadByte(at, 17),
                Scale = Marshal.ReadByte(at, 18)
            };
            GC.KeepAlive(keeper);
            return placement;
        }

        public Structure Structure(int index)
        {
            IntPtr at = At(info.Structures, index, StructureCount, 56);
            var structure = new Structure {
                Anchor = BlockAt(at, 0),
                Kind = Marshal.ReadByte(at, 16),
                Rooms = (ushort)Marshal.ReadInt16(at, 18),
                From = BlockAt(at, 24),
                To = BlockAt(at, 40)
            };
            GC.KeepAlive(keeper);
            return structure;
        }

        public Room Room(int index)
        {
            IntPtr at = At(info.Rooms, index, RoomCount, 48);
            var room = new Room {
                Corner = BlockAt(at, 0),
                FloorQ4 = Marshal.ReadInt32(at, 16),
                Structure = BlockAt(at, 24),
                Index = (ushort)Marshal.ReadInt16(at, 40),
                Kind = Marshal.ReadByte(at, 42),
                Piece = Marshal.ReadByte(at, 43),
                Turn = Marshal.ReadByte(at, 44),
                OpenDoors = Marshal.ReadByte(at, 45)
            };
            GC.KeepAlive(keeper);
            return room;
        }

        static IntPtr At(IntPtr first, int index, int count, int size)
        {
            if (index < 0 || index >= count) throw new ArgumentOutOfRangeException(nameof(index));
            return new IntPtr(first.ToInt64() + (long)index * size);
        }

        static Block BlockAt(IntPtr at, int offset)
        {
            return new Block(Marshal.ReadInt64(at, offset), Marshal.ReadInt64(at, offset + 8));
        }

        bool Copy(IntPtr from, ref int[] into)
        {
            Core.Fit(ref into, Size * Size);
            if (from != IntPtr.Zero) Marshal.Copy(from, into, 0, Size * Size);
            GC.KeepAlive(keeper);
            return from != IntPtr.Zero;
        }

        bool Copy(IntPtr from, ref short[] into)
        {
            Core.Fit(ref into, Size * Size);
            if (from != IntPtr.Zero) Marshal.Copy(from, into, 0, Size * Size);
            GC.KeepAlive(keeper);
            return from != IntPtr.Zero;
        }

        bool Copy(IntPtr from, ref byte[] into)
        {
            Core.Fit(ref into, Size * Size);
            if (from != IntPtr.Zero) Marshal.Copy(from, into, 0, Size * Size);
            GC.KeepAlive(keeper);
            return from != IntPtr.Zero;
        }
    }

    /// A chunk that the game keeps. Never changes; any thread.
    public sealed class Chunk : IDisposable
    {
        internal readonly ChunkHandle Handle;

        internal Chunk(IntPtr owned)
        {
            Handle = new ChunkHandle(owned);
        }

        /// Makes a chunk here: the same samples as every server's with the world's fingerprint.
        /// Takes a tenth of a millisecond, of coarse levels some.
        /// Errors: OutOfRange for a tile that the world does not have.
        public static Chunk Generate(World world, ulong seed, Tile tile, Layers layers = Layers.All)
        {
            IntPtr chunk;
            Failure.Check(Core.terrane_chunk_generate(world.Handle, seed, ref tile, (uint)layers,
                                                      out chunk, Failure.Buffer));
            return new Chunk(chunk);
        }

        /// Decodes one that Encode has written. Any bytes are safe.
        /// Errors: DataLoss with what is wrong.
        public static Chunk Decode(byte[] bytes, int size, Tile tile, Layers layers = Layers.All)
        {
            if (size < 0 || size > bytes.Length)
                throw new ArgumentOutOfRangeException(nameof(size));
            IntPtr chunk;
            Failure.Check(Core.terrane_chunk_decode(Core.AbiVersion, bytes, Core.Size(size),
                                                    ref tile, (uint)layers, out chunk,
                                                    Failure.Buffer));
            return new Chunk(chunk);
        }

        /// Writes it to the buffer if that is large enough. Returns how many bytes it takes.
        public int Encode(byte[] buffer)
        {
            return Core.Count(Core.terrane_chunk_encode(Handle, buffer, Core.Size(buffer.Length)));
        }

        public ChunkView View
        {
            get
            {
                if (Handle.IsClosed) throw new ObjectDisposedException(nameof(Chunk));
                return new ChunkView(Handle.DangerousGetHandle(), this);
            }
        }

        public void Dispose()
        {
            Handle.Dispose();
        }
    }

    // ---- Land: the chunks at hand ----

    /// The ground at a place, as the triangles of its mesh have it.
    [StructLayout(LayoutKind.Sequential)]
    public struct Ground
    {
        public double Height;
        public double Water; // the water's surface; where there is none, the height
        public float NormalX, NormalY, NormalUp;
        public float Depth; // of the water over the ground; 0: dry
        public byte Biome, Lod;
        internal byte KnownByte;
        internal byte HoleByte;

        /// False: no chunk at hand has it, and the rest is 0.
        public bool Known { get { return KnownByte != 0; } }

        /// True: the game has patched the ground away; Height is where it would be.
        public bool Hole { get { return HoleByte != 0; } }
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct Hit
    {
        internal uint StructSize;
        internal uint HitFlag;
        public double Distance;
        public double X, Y, Height;
        public float NormalX, NormalY, NormalUp;
    }

    public enum ChangeKind : uint
    {
        Draw = 1, // build the tile's mesh, or build it anew
        Hide = 2  // it is not drawn any more
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct Change
    {
        public Tile Tile;
        public ChangeKind Kind;
        internal uint Reserved;
    }

    [Flags]
    public enum PatchKinds : uint
    {
        None = 0,       // as it was made
        Height = 1,     // the sample at Block has HeightQ4
        Hole = 2,       // no ground from Block to one further in x and y, at lod 0
        NoPlacement = 4 // what stands at the anchor Block is gone
    }

    /// What the game has done to a block.
    [StructLayout(LayoutKind.Sequential)]
    public struct Patch
    {
        public Block Block;
        public int HeightQ4;
        public PatchKinds What;

        public Patch(Block block, PatchKinds what, int heightQ4 = 0)
        {
            Block = block;
            HeightQ4 = heightQ4;
            What = what;
        }
    }

    /// Somebody, or something, that moves: an upright cylinder.
    [StructLayout(LayoutKind.Sequential)]
    public struct Body
    {
        public double X, Y, Bottom;  // its axis, and the height of its feet
        public float Radius, Height; // doors are one block wide
        public float Step;           // what is no higher above its feet is stepped upon
        public float Reach;          // what is nearer is told of, too; 0: what it is in alone
    }

    /// Those of a room are as its BoxParts.
    public enum ObstaclePart : byte
    {
        Floor = 1,
        Wall = 2,
        Lintel = 3,
        Roof = 4,
        Trunk = 8, // of a tree
        Rock = 9   // a boulder, or whatever else stands at a block
    }

    /// Something solid: an upright cylinder (Trunk, Rock), or a box of a room.
    [StructLayout(LayoutKind.Sequential)]
    public struct Obstacle
    {
        public double X, Y;         // its middle
        public float HalfX, HalfY;  // from there to its sides; of a cylinder its radius
        public float Bottom, Top;   // heights
        public float PushX, PushY, PushUp; // the shortest way out for the body; 0: it is not in it
        public float Distance; // from the body; below 0: as long as the way out
        public Block Of;       // the placement's anchor, or the structure's
        public ushort Room;    // of the structure
        public ObstaclePart Part;
        public byte Kind; // of placements or of structures
        internal uint Reserved;
    }

    /// The chunks at hand. One thread at a time; an explorer's: the thread that polls.
    public sealed class Land : IDisposable
    {
        internal readonly LandHandle Handle;

        /// Land of chunks that the game puts in.
        public Land()
        {
            IntPtr land;
            Failure.Check(Core.terrane_land_create(Core.AbiVersion, out land, Failure.Buffer));
            Handle = new LandHandle(land, null);
        }

        internal Land(IntPtr land, ExplorerHandle owner)
        {
            Handle = new LandHandle(land, owner);
        }

        public int Count { get { return Core.Count(Core.terrane_land_count(Handle)); } }

        /// Errors: InvalidArgument for a chunk without heights, of another size than the others, or
        /// for the land of an explorer.
        public void Put(Chunk chunk)
        {
            Failure.Check(Core.terrane_land_put(Handle, chunk.Handle, Failure.Buffer));
        }

        public void Remove(Tile tile)
        {
            Core.terrane_land_remove(Handle, ref tile);
        }

        /// Keeps what the game has done to blocks, each in the place of what was there before, for
        /// chunks at hand and those that come. Errors: InvalidArgument, OutOfRange: nothing is
        /// patched then.
        public void Patch(Patch[] patches, int count)
        {
            if (count < 0 || count > patches.Length)
                throw new ArgumentOutOfRangeException(nameof(count));
            Failure.Check(Core.terrane_land_patch(Handle, patches, Core.Size(count),
                                                  Failure.Buffer));
        }

        /// Takes changes since the last call: what is to be drawn first, then what is to be hidden.
        /// Act on all that were taken, in their order, before the next poll. Returns how many;
        /// fewer than the array has: there are no more.
        public int TakeChanges(Change[] changes)
        {
            return Core.Count(Core.terrane_land_take_changes(Handle, changes,
                                                             Core.Size(changes.Length)));
        }

        /// Builds a tile's mesh. Some tens of microseconds.
        /// Returns false for a tile that is not at hand: the mesh is as it was.
        public bool Mesh(Tile tile, TileMesh mesh)
        {
            int code = Core.terrane_land_mesh(Handle, ref tile, mesh.Handle, Failure.Buffer);
            if (code == (int)Code.NotFound) return false;
            Failure.Check(code);
            mesh.Refresh();
            return true;
        }

        /// The forests of a coarse tile, which has no placements: trees scattered over what its mesh
        /// draws, for whenever that is built. Returns how many were written.
        public int FarTrees(World world, Tile tile, FarTree[] trees)
        {
            return Core.Count(Core.terrane_land_far_trees(Handle, world.Handle, ref tile, trees,
                                                          Core.Size(trees.Length)));
        }

        public Ground Ground(double x, double y)
        {
            var place = new Place(x, y, 0);
            Ground ground;
            Core.terrane_land_ground_one(Handle, ref place, Core.Size(1), out ground);
            return ground;
        }

        /// @param places  x and y of each, one after the other
        public void Ground(double[] places, int count, Ground[] grounds)
        {
            if (count < 0 || places.Length / 2 < count || grounds.Length < count)
                throw new ArgumentOutOfRangeException(nameof(count));
            Core.terrane_land_ground(Handle, places, Core.Size(count), grounds);
        }

        /// Where a ray meets the ground. False: nothing within the distance, or nothing at hand.
        /// @param direction  of any length but 0
        /// Errors: InvalidArgument for what is no number, a direction of length 0, or a distance
        /// that is not 0 to 1,000,000.
        public bool Ray(Place from, Place direction, double distance, out Hit hit)
        {
            hit = new Hit { StructSize = Core.SizeOf<Hit>() };
            Failure.Check(Core.terrane_land_ray(Handle, ref from, ref direction, distance, ref hit,
                                                Failure.Buffer));
            return hit.HitFlag != 0;
        }

        /// What stands within `radius` blocks of a place, the nearest first, as many as fit.
        /// Returns how many there are.
        public int Placements(double x, double y, double radius, Placement[] placements)
        {
            return Core.Count(Core.terrane_land_placements(Handle, x, y, radius, placements,
                                                           Core.Size(placements.Length)));
        }

        /// What is solid around bodies: trunks, boulders, and the floors, walls and roofs of rooms;
        /// the ground is not. For each body as many as `capacity` lets in, at
        /// obstacles[k * capacity]: first what it is in, then the nearest. To keep a body out of
        /// everything move it by the first one's push, and ask again, as long as its Distance is
        /// below 0. @param counts  how many there are of each body, written or not
        public void Obstacles(World world, Body[] bodies, int count, Obstacle[] obstacles,
                              int capacity, uint[] counts)
        {
            if (count < 0 || count > bodies.Length || count > counts.Length || capacity < 0 ||
                (long)count * capacity > obstacles.Length)
                throw new ArgumentOutOfRangeException(nameof(count));
            Core.terrane_land_obstacles(Handle, world.Handle, bodies, Core.Size(count), obstacles,
                                        Core.Size(capacity), counts);
        }

        /// An explorer's goes with the explorer.
        public void Dispose()
        {
            Handle.Dispose();
        }
    }

    // ---- Meshes ----

    /// What TileMesh.Vertices points to: 32 bytes, and 8 numbers in CopyVertices.
    [StructLayout(LayoutKind.Sequential)]
    public struct Vertex
    {
        public float X, Y, Z; // blocks from the mesh's origin; Z is the height
        public float NormalX, NormalY, NormalZ;
        public byte Biome0, Biome1, Biome2, Biome3;     // the weightiest first
        public byte Weight0, Weight1, Weight2, Weight3; // theirs; 255 together
    }

    /// What TileMesh.WaterVertices points to: 16 bytes, and 4 numbers in CopyWaterVertices.
    [StructLayout(LayoutKind.Sequential)]
    public struct WaterVertex
    {
        public float X, Y, Z;
        public float Depth; // over the ground; below 0 on the shore's dry side
    }

    /// A tree far away, or several of its kind that are drawn as one.
    [StructLayout(LayoutKind.Sequential)]
    public struct FarTree
    {
        public float X, Y, Z;        // where it stands, as the tile's mesh has its vertices
        public float Radius, Height; // of one of them
        public float Trees; // how many it stands for; together they have sqrt(Trees) * Radius
        public byte Kind;   // of placements
        public byte Turn;   // 1/256 of a full turn
        internal ushort Reserved;
    }

    /// Holds one mesh, and its memory from one to the next. One thread at a time.
    /// Of a triangle (a, b, c), (b - a) x (c - a) points up, in x, y and z as well as when turned
    /// by "YUp" to (x, z, -y), which are the axes of Unity: there it is clockwise seen from above.
    public sealed class TileMesh : IDisposable
    {
        internal readonly MeshHandle Handle;
        NativeMeshInfo info;

        public TileMesh()
        {
            IntPtr mesh;
            Failure.Check(Core.terrane_mesh_create(Core.AbiVersion, out mesh, Failure.Buffer));
            Handle = new MeshHandle(mesh);
        }

        public Tile Tile { get { return info.Tile; } }
        public Block Origin { get { return info.Origin; } }         // of positions, at height 0
        public bool Exact { get { return info.Exact != 0; } }       // no edge is a guess
        public float MinZ { get { return info.MinZ; } }
        public float MaxZ { get { return info.MaxZ; } }
        /// Quarters that finer tiles cover: bit 2 * b + a, east for a, south for b. Meshes of the
        /// same LeftOut have the same indices.
        public uint LeftOut { get { return info.LeftOut; } }
        public int VertexCount { get { return Core.Count(info.VertexCount); } }
        public int IndexCount { get { return Core.Count(info.IndexCount); } } // ground and skirts
        public int GroundIndexCount { get { return Core.Count(info.GroundIndexCount); } }
        public int WaterVertexCount { get { return Core.Count(info.WaterVertexCount); } }
        public int WaterIndexCount { get { return Core.Count(info.WaterIndexCount); } }

        // For those who may read memory; until the next mesh is built.
        public IntPtr Vertices { get { return info.Vertices; } }
        public IntPtr Indices { get { return info.Indices; } }
        public IntPtr WaterVertices { get { return info.WaterVertices; } }
        public IntPtr WaterIndices { get { return info.WaterIndices; } }

        /// Copies Vertex after Vertex, 8 numbers each: position, normal, and as bits four biomes
        /// and their weights. The array grows where it is too small. Returns how many vertices.
        public int CopyVertices(ref float[] into)
        {
            Copy(info.Vertices, ref into, 8 * VertexCount);
            return VertexCount;
        }

        /// The same with positions and normals turned from (x, y, z) to (x, z, -y).
        public int CopyVerticesYUp(ref float[] into)
        {
            Copy(info.Vertices, ref into, 8 * VertexCount);
            float[] all = into;
            for (int k = 0, end = 8 * VertexCount; k < end; k += 8)
            {
                float y = all[k + 1], normal = all[k + 4];
                all[k + 1] = all[k + 2];
                all[k + 2] = -y;
                all[k + 4] = all[k + 5];
                all[k + 5] = -normal;
            }
            return VertexCount;
        }

        /// Three a triangle. Returns how many.
        public int CopyIndices(ref int[] into)
        {
            Copy(info.Indices, ref into, IndexCount);
            return IndexCount;
        }

        /// WaterVertex after WaterVertex, 4 numbers each. Returns how many vertices.
        public int CopyWaterVertices(ref float[] into)
        {
            Copy(info.WaterVertices, ref into, 4 * WaterVertexCount);
            return WaterVertexCount;
        }

        public int CopyWaterVerticesYUp(ref float[] into)
        {
            Copy(info.WaterVertices, ref into, 4 * WaterVertexCount);
            float[] all = into;
            for (int k = 0, end = 4 * WaterVertexCount; k < end; k += 4)
            {
                float y = all[k + 1];
                all[k + 1] = all[k + 2];
                all[k + 2] = -y;
            }
            return WaterVertexCount;
        }

        public int CopyWaterIndices(ref int[] into)
        {
            Copy(info.WaterIndices, ref into, WaterIndexCount);
            return WaterIndexCount;
        }

        public void Dispose()
        {
            Handle.Dispose();
            info = new NativeMeshInfo();
        }

        internal void Refresh()
        {
            info.StructSize = Core.SizeOf<NativeMeshInfo>();
            Core.terrane_mesh_get_info(Handle, ref info);
        }

        void Copy(IntPtr from, ref float[] into, int count)
        {
            Core.Fit(ref into, count);
            if (count > 0) Marshal.Copy(from, into, 0, count);
            GC.KeepAlive(this);
        }

        void Copy(IntPtr from, ref int[] into, int count)
        {
            Core.Fit(ref into, count);
            if (count > 0) Marshal.Copy(from, into, 0, count);
            GC.KeepAlive(this);
        }
    }

    // ---- Explorers: the land around a viewer ----

    public sealed class ExploreOptions
    {
        /// How far to see each level of detail, from lod 0: the radius in tiles of it, at most 64.
        /// { 8, 8, 8, 8 } reaches 64 chunks far. Empty: 16 of lod 0.
        public byte[] ViewDistances = new byte[0];
        public Layers Layers;    // 0: all
        public uint KeptChunks;  // out of range, kept should the viewer come back; 0: 1,024
        public uint MaxWaiting;  // chunks that wait for Poll; 0: 1,024
        public ulong Seed;
        // What the server calls the world: name and seed, or a realm. Not for local ones.
        public string World, Realm;
        public ulong Fingerprint; // not 0: fail unless the world is this one
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct Pose
    {
        public double X, Y;                   // blocks
        public double VelocityX, VelocityY;   // blocks a second
        public double DirectionX, DirectionY; // where it looks, of any length; both 0: nowhere
    }

    public enum EventKind : uint
    {
        Arrived = 1,      // a tile has come into view, with its chunk
        OutOfRange = 2,   // a tile that may be dropped: it is announced again
        Failed = 3,       // a tile that could not be had: Code
        State = 4,        // State is another than before: Code says why
        WorldChanged = 5, // the server has another world of this name now
        Differs = 6       // a tile that was made here is not the server's: streamed from now on
    }

    public enum ExplorerState : uint
    {
        Connecting = 0, // no answer yet, or none since the connection was lost
        Streaming = 1,
        Ended = 2 // for good
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct ExploreEvent
    {
        public EventKind Kind;
        public Code Code;
        public Tile Tile;
        internal IntPtr ChunkPointer;
        public ExplorerState State;
        internal uint Reserved;

        /// What has arrived; until the next poll, and none of other kinds.
        public ChunkView Chunk { get { return new ChunkView(ChunkPointer, null); } }

        /// Keeps what has arrived beyond the next poll. Call it before that.
        public Chunk KeepChunk()
        {
            if (ChunkPointer == IntPtr.Zero)
                throw new InvalidOperationException("an event without a chunk");
            Core.terrane_chunk_retain(ChunkPointer);
            return new Chunk(ChunkPointer);
        }
    }

    /// Keeps the land around one viewer at hand.
    public sealed class Explorer : IDisposable
    {
        internal readonly ExplorerHandle Handle;
        readonly object gate = new object();
        readonly bool makesLand, isStreamed; // both: it is judged
        Thread[] workers = new Thread[0];
        long moves;
        bool ended;

        /// The chunks of all tiles that polls have told of. The thread that polls.
        public Land Land { get; }

        /// One whose land a server streams: open a Connection for it.
        /// Errors: InvalidArgument names the option, its value and the limit.
        public static Explorer Streamed(ExploreOptions options)
        {
            using (var native = new NativeExplore(options))
            {
                IntPtr explorer;
                Failure.Check(Core.terrane_explorer_create(Core.AbiVersion, ref native.Options,
                                                           out explorer, Failure.Buffer));
                return new Explorer(explorer, false, true);
            }
        }

        /// One whose land is made here, by whoever calls Work. The world may be disposed of.
        /// Errors: as above; FailedPrecondition when the fingerprint is another world's.
        public static Explorer Local(World world, ExploreOptions options)
        {
            using (var native = new NativeExplore(options))
            {
                IntPtr explorer;
                Failure.Check(Core.terrane_explorer_create_local(
                    Core.AbiVersion, world.Handle, ref native.Options, out explorer,
                    Failure.Buffer));
                return new Explorer(explorer, true, false);
            }
        }

        /// One whose land is made here, as a local one's, and judged by a server, about once a
        /// second: open a Connection for it. Once something is not the server's (Differs), the land
        /// is streamed. Not for realms. Errors: as above, for both.
        public static Explorer Judged(World world, ExploreOptions options)
        {
            using (var native = new NativeExplore(options))
            {
                IntPtr explorer;
                Failure.Check(Core.terrane_explorer_create_judged(
                    Core.AbiVersion, world.Handle, ref native.Options, out explorer,
                    Failure.Buffer));
                return new Explorer(explorer, true, true);
            }
        }

        /// Says where the viewer is: once a frame. Returns at once. Any thread.
        /// Errors: InvalidArgument for what is no number, OutOfRange outside of the world.
        public void Move(in Pose pose)
        {
            Pose copy = pose;
            long now = isStreamed ? Connection.Now : LocalNow();
            Failure.Check(Core.terrane_explorer_move(Handle, ref copy, now, Failure.Buffer));
            WakeWorkers();
        }

        /// What has happened, in order, and what the land takes in. Returns how many events; as
        /// many as the array has: there may be more. Returns at once. One thread.
        public int Poll(ExploreEvent[] events)
        {
            int count = Core.Count(Core.terrane_explorer_poll(Handle, events,
                                                              Core.Size(events.Length)));
            WakeWorkers();
            return count;
        }

        /// Why it has ended, or what the last attempt to connect met; null: nothing to tell. The
        /// thread that polls.
        public TerraneException Error
        {
            get
            {
                byte[] buffer = Failure.Buffer;
                int code = Core.terrane_explorer_get_error(Handle, buffer);
                return code == 0 ? null : Failure.Read(code, buffer);
            }
        }

        /// Local and judged ones: follows the viewer, and makes the chunk that is needed most, on the
        /// calling thread, in 0.15 ms. Once a frame, at least. Any number of threads. False:
        /// nothing to make until the next Move or Poll.
        public bool Work()
        {
            return Core.terrane_explorer_work(Handle) != 0;
        }

        /// Local and judged ones: threads that call Work until the explorer is disposed of, which is
        /// not left to the garbage collector then. Frames come before them.
        public void StartWorkers(int count)
        {
            if (count < 1) throw new ArgumentOutOfRangeException(nameof(count));
            if (!makesLand) throw new InvalidOperationException("its land is not made here");
            lock (gate)
            {
                if (ended) throw new ObjectDisposedException(nameof(Explorer));
                if (workers.Length > 0) throw new InvalidOperationException("they are at work");
                workers = new Thread[count];
                for (int k = 0; k < count; ++k)
                {
                    workers[k] = new Thread(WorkUntilEnd) { IsBackground = true };
                    workers[k].Name = "terrane land";
                    workers[k].Start();
                }
            }
        }

        /// For a thread of the game's own that calls Work, once: frames come before it.
        public static void LowerThreadPriority()
        {
            Core.terrane_lower_thread_priority();
        }

        /// Ends its workers and its land; waits for chunks that are being made.
        public void Dispose()
        {
            lock (gate)
            {
                ended = true;
                Monitor.PulseAll(gate);
            }
            foreach (Thread worker in workers) worker.Join();
            Land.Dispose();
            Handle.Dispose();
        }

        Explorer(IntPtr explorer, bool makesLand, bool isStreamed)
        {
            this.makesLand = makesLand;
            this.isStreamed = isStreamed;
            Handle = new ExplorerHandle(explorer);
            Land = new Land(Core.terrane_explorer_land(Handle), Handle);
        }

        void WakeWorkers()
        {
            if (!makesLand) return;
            lock (gate)
            {
                ++moves;
                Monitor.PulseAll(gate);
            }
        }

        void WorkUntilEnd()
        {
            LowerThreadPriority();
            for (;;)
            {
                long seen;
                lock (gate)
                {
                    if (ended) return;
                    seen = moves;
                }
                if (Work()) continue;
                lock (gate)
                {
                    while (!ended && moves == seen) Monitor.Wait(gate);
                }
            }
        }

        static long LocalNow()
        {
            long now = Stopwatch.GetTimestamp(), second = Stopwatch.Frequency;
            return now / second * 1000000000 + now % second * 1000000000 / second;
        }
    }

    // ---- Connections ----

    public sealed class ConnectionOptions
    {
        /// "ws://host:port", or with TLS "wss://host:port"; several with commas between: where one
        /// is not there, the next is tried.
        public string Urls;
        /// Who this is; "": nobody yet, until SetToken; null: nobody.
        public string Token;
        public string CaFile; // PEM: whom certificates are trusted from; null: the system's
        public uint PatienceMs; // for a server, and for a world; 0: 10,000
        public bool InsecureToken; // send it in the clear, where something else encrypts
    }

    /// Carries a streamed explorer's bytes over a WebSocket, on a thread of the library.
    public sealed class Connection : IDisposable
    {
        readonly ConnectionHandle handle;

        /// Connects as soon as the explorer has been moved, and again when the connection is lost.
        /// Returns at once: what becomes of it is told by events of the kind State.
        /// Errors: InvalidArgument for a URL that is none, wss:// where the library was built
        /// without TLS, a CaFile without certificates, or a token that would go in the clear;
        /// FailedPrecondition for a local explorer; ResourceExhausted.
        public static Connection Open(ConnectionOptions options, Explorer explorer)
        {
            using (var native = new NativeConnection(options))
            {
                IntPtr connection;
                Failure.Check(Carrier.terrane_connection_open(Core.AbiVersion, ref native.Options,
                                                              explorer.Handle, out connection,
                                                              Failure.Buffer));
                return new Connection(new ConnectionHandle(connection, explorer.Handle));
            }
        }

        /// The clock that explorers are told, in nanoseconds. Any thread.
        public static long Now
        {
            get
            {
                Core.terrane_abi_version();
                return Carrier.Now();
            }
        }

        /// The explorer may have something to say: once a frame, after Move and Poll. Returns at
        /// once. Any thread.
        public void Flush()
        {
            Carrier.terrane_connection_flush(handle);
        }

        /// Waits until something has come since the last call; false: the time is over. For
        /// programs without frames. One thread.
        public bool Wait(uint timeoutMs)
        {
            return Carrier.terrane_connection_wait(handle, timeoutMs) != 0;
        }

        /// Another token, from the next stream on. Any thread.
        /// Errors: InvalidArgument for what can be none, FailedPrecondition for a connection of
        /// nobody.
        public void SetToken(string token)
        {
            Failure.Check(Carrier.terrane_connection_set_token(handle, Utf8.Bytes(token),
                                                               Failure.Buffer));
        }

        /// Ends the stream and its thread. Takes a tenth of a second at most; where the system is
        /// just looking a name up, as long as it does.
        public void Close()
        {
            handle.Dispose();
        }

        public void Dispose()
        {
            Close();
        }

        Connection(ConnectionHandle handle)
        {
            this.handle = handle;
        }
    }

    // ---- Inside: handles ----
    //
    // A SafeHandle is not released while a call on another thread uses it.

    abstract class Handle : SafeHandle
    {
        protected Handle(IntPtr owned) : base(IntPtr.Zero, true)
        {
            SetHandle(owned);
        }

        public override bool IsInvalid { get { return handle == IntPtr.Zero; } }
    }

    sealed class WorldHandle : Handle
    {
        internal WorldHandle(IntPtr owned) : base(owned) {}

        protected override bool ReleaseHandle()
        {
            Core.terrane_world_close(handle);
            return true;
        }
    }

    sealed class ChunkHandle : Handle
    {
        internal ChunkHandle(IntPtr owned) : base(owned) {}

        protected override bool ReleaseHandle()
        {
            Core.terrane_chunk_release(handle);
            return true;
        }
    }

    sealed class MeshHandle : Handle
    {
        internal MeshHandle(IntPtr owned) : base(owned) {}

        protected override bool ReleaseHandle()
        {
            Core.terrane_mesh_destroy(handle);
            return true;
        }
    }

    sealed class ExplorerHandle : Handle
    {
        internal ExplorerHandle(IntPtr owned) : base(owned) {}

        protected override bool ReleaseHandle()
        {
            Core.terrane_explorer_destroy(handle);
            return true;
        }
    }

    /// Land and connections hold their explorer, which goes after them whoever is disposed of, or
    /// finalized, first.
    abstract class ExplorersHandle : Handle
    {
        readonly ExplorerHandle explorer;
        readonly bool held;

        protected ExplorersHandle(IntPtr handle, ExplorerHandle explorer) : base(handle)
        {
            this.explorer = explorer;
            if (explorer != null) explorer.DangerousAddRef(ref held);
        }

        protected bool LetGo()
        {
            if (held) explorer.DangerousRelease();
            return held;
        }
    }

    sealed class LandHandle : ExplorersHandle
    {
        internal LandHandle(IntPtr land, ExplorerHandle owner) : base(land, owner) {}

        protected override bool ReleaseHandle()
        {
            if (!LetGo()) Core.terrane_land_destroy(handle);
            return true;
        }
    }

    sealed class ConnectionHandle : ExplorersHandle
    {
        internal ConnectionHandle(IntPtr owned, ExplorerHandle explorer) : base(owned, explorer) {}

        protected override bool ReleaseHandle()
        {
            Carrier.terrane_connection_close(handle);
            LetGo();
            return true;
        }
    }

    // ---- Inside: texts and errors ----

    static class Utf8
    {
        public static byte[] Bytes(string text)
        {
            if (text == null) throw new ArgumentNullException(nameof(text));
            if (text.IndexOf('\0') >= 0) throw new ArgumentException("a text with a 0 in it");
            var bytes = new byte[Encoding.UTF8.GetByteCount(text) + 1];
            Encoding.UTF8.GetBytes(text, 0, text.Length, bytes, 0);
            return bytes;
        }

        /// To be freed with Marshal.FreeHGlobal. Null stays so.
        public static IntPtr Pointer(string text)
        {
            if (text == null) return IntPtr.Zero;
            byte[] bytes = Bytes(text);
            IntPtr copy = Marshal.AllocHGlobal(bytes.Length);
            Marshal.Copy(bytes, 0, copy, bytes.Length);
            return copy;
        }

        public static string Text(IntPtr text)
        {
            if (text == IntPtr.Zero) return "";
            int length = 0;
            while (Marshal.ReadByte(text, length) != 0) ++length;
            var bytes = new byte[length];
            Marshal.Copy(text, bytes, 0, length);
            return Encoding.UTF8.GetString(bytes);
        }
    }

    /// A terrane_error as bytes, as a text in a structure would be copied at each call.
    static class Failure
    {
        public const int Size = 512, CodeAt = 4, MessageAt = 8;

        [ThreadStatic]
        static byte[] buffer;

        public static byte[] Buffer
        {
            get
            {
                if (buffer == null)
                {
                    buffer = new byte[Size];
                    BitConverter.GetBytes(Size).CopyTo(buffer, 0);
                }
                return buffer;
            }
        }

        public static void Check(int code)
        {
            if (code != 0) throw Read(code, Buffer);
        }

        public static void Check(int code, string message)
        {
            if (code != 0) throw new TerraneException((Code)code, message);
        }

        public static TerraneException Read(int code, byte[] from)
        {
            int end = Array.IndexOf(from, (byte)0, MessageAt);
            if (end < 0) end = Size;
            return new TerraneException((Code)code,
                                        Encoding.UTF8.GetString(from, MessageAt, end - MessageAt));
        }
    }

    // ---- Inside: structures as the libraries have them ----

    struct NativeWorldInfo
    {
        public uint StructSize, ChunkSize;
        public ulong Fingerprint;
        public IntPtr Name, Title, Description;
        public uint MaxLod;
        public int SeaLevelQ4;
        public uint Layers, Biomes, PlacementKinds, StructureKinds, Places;
    }

    struct NativeKindInfo
    {
        public uint StructSize, Color;
        public IntPtr Name;
        public int RadiusQ4, HeightQ4;
        public uint Pieces, Solid;
        public float SolidRadius;
    }

    struct NativePieceInfo
    {
        public uint StructSize;
        public byte Width, Depth, Levels, DoorCount;
        public IntPtr Name;
        [MarshalAs(UnmanagedType.ByValArray, SizeConst = 32)]
        public byte[] Doors; // eight times Door
    }

    struct NativePlaceInfo
    {
        public uint StructSize, Spawn;
        public IntPtr Name;
        public Block Block;
    }

    struct NativeChunkInfo
    {
        public uint StructSize, Size;
        public Tile Tile;
        public IntPtr HeightQ4, TemperatureD, HumidityD, Biome, WaterQ4, ForestP, RocksP;
        public IntPtr Placements;
        public UIntPtr PlacementCount;
        public IntPtr Structures;
        public UIntPtr StructureCount;
        public IntPtr Rooms;
        public UIntPtr RoomCount;
    }

    struct NativeMeshInfo
    {
        public uint StructSize, Exact;
        public Tile Tile;
        public Block Origin;
        public IntPtr Vertices;
        public UIntPtr VertexCount;
        public IntPtr Indices;
        public UIntPtr IndexCount, GroundIndexCount;
        public IntPtr WaterVertices;
        public UIntPtr WaterVertexCount;
        public IntPtr WaterIndices;
        public UIntPtr WaterIndexCount;
        public float MinZ, MaxZ;
        public uint LeftOut, Holes;
    }

    struct NativeExploreOptions
    {
        public uint StructSize;
        [MarshalAs(UnmanagedType.ByValArray, SizeConst = NativeExplore.MaxLevels)]
        public byte[] ViewDistances;
        public uint Layers, KeptChunks, MaxWaiting;
        public IntPtr World, Realm;
        public ulong Seed, Fingerprint;
    }

    struct NativeConnectionOptions
    {
        public uint StructSize, PatienceMs;
        public IntPtr Urls, Token, CaFile;
        public uint InsecureToken, Reserved;
    }

    /// Options with their texts, for the time of a call.
    sealed class NativeExplore : IDisposable
    {
        public const int MaxLevels = 17;
        public NativeExploreOptions Options;

        public NativeExplore(ExploreOptions from)
        {
            if (from.ViewDistances.Length > MaxLevels)
                throw new ArgumentException("there are " + MaxLevels + " levels of detail at most");
            Options.StructSize = (uint)Marshal.SizeOf(typeof(NativeExploreOptions));
            Options.ViewDistances = new byte[MaxLevels];
            from.ViewDistances.CopyTo(Options.ViewDistances, 0);
            Options.Layers = (uint)from.Layers;
            Options.KeptChunks = from.KeptChunks;
            Options.MaxWaiting = from.MaxWaiting;
            Options.Seed = from.Seed;
            Options.Fingerprint = from.Fingerprint;
            Options.World = Utf8.Pointer(from.World);
            Options.Realm = Utf8.Pointer(from.Realm);
        }

        public void Dispose()
        {
            Marshal.FreeHGlobal(Options.World);
            Marshal.FreeHGlobal(Options.Realm);
        }
    }

    sealed class NativeConnection : IDisposable
    {
        public NativeConnectionOptions Options;

        public NativeConnection(ConnectionOptions from)
        {
            Options.StructSize = (uint)Marshal.SizeOf(typeof(NativeConnectionOptions));
            Options.PatienceMs = from.PatienceMs;
            Options.InsecureToken = from.InsecureToken ? 1u : 0u;
            Options.Urls = Utf8.Pointer(from.Urls);
            Options.Token = Utf8.Pointer(from.Token);
            Options.CaFile = Utf8.Pointer(from.CaFile);
        }

        public void Dispose()
        {
            Marshal.FreeHGlobal(Options.Urls);
            Marshal.FreeHGlobal(Options.Token);
            Marshal.FreeHGlobal(Options.CaFile);
        }
    }

    // ---- Inside: the libraries' functions ----

    static class Core
    {
        public const uint AbiVersion = 1;
        const string Library = "terrane_core";
        const CallingConvention C = CallingConvention.Cdecl;

        static class SizeCache<T> where T : struct
        {
            public static readonly uint Size = (uint)Marshal.SizeOf(typeof(T));
        }

        public static uint SizeOf<T>() where T : struct { return SizeCache<T>.Size; }
        public static UIntPtr Size(int count) { return new UIntPtr((uint)count); }
        public static int Count(UIntPtr count) { return checked((int)count.ToUInt64()); }

        public static void Fit<T>(ref T[] array, int count)
        {
            if (array == null || array.Length < count) array = new T[count + count / 4];
        }

        [DllImport(Library, CallingConvention = C)]
        public static extern uint terrane_abi_version();
        [DllImport(Library, CallingConvention = C)]
        public static extern IntPtr terrane_release();

        [DllImport(Library, CallingConvention = C)]
        public static extern int terrane_world_open(uint abi, byte[] bytes, UIntPtr size,
                                                    out IntPtr world, [In, Out] byte[] error);
        [DllImport(Library, CallingConvention = C)]
        public static extern void terrane_world_close(IntPtr world);
        [DllImport(Library, CallingConvention = C)]
        public static extern void terrane_world_get_info(WorldHandle world,
                                                         ref NativeWorldInfo info);
        [DllImport(Library, CallingConvention = C)]
        public static extern int terrane_world_biome(WorldHandle world, uint index,
                                                     ref NativeKindInfo info);
        [DllImport(Library, CallingConvention = C)]
        public static extern int terrane_world_placement_kind(WorldHandle world, uint index,
                                                              ref NativeKindInfo info);
        [DllImport(Library, CallingConvention = C)]
        public static extern int terrane_world_structure_kind(WorldHandle world, uint index,
                                                              ref NativeKindInfo info);
        [DllImport(Library, CallingConvention = C)]
        public static extern int terrane_world_piece(WorldHandle world, uint kind, uint index,
                                                     ref NativePieceInfo info);
        [DllImport(Library, CallingConvention = C)]
        public static extern int terrane_world_place(WorldHandle world, uint index,
                                                     ref NativePlaceInfo info);
        [DllImport(Library, CallingConvention = C)]
        public static extern int terrane_world_sample(WorldHandle world, ulong seed,
                                                      [In] Block[] blocks, UIntPtr count,
                                                      [In, Out] Sample[] samples,
                                                      [In, Out] byte[] error);
        [DllImport(Library, CallingConvention = C)]
        public static extern UIntPtr terrane_room_boxes(WorldHandle world, ref Room room,
                                                        [In, Out] Box[] boxes, UIntPtr capacity);

        [DllImport(Library, CallingConvention = C)]
        public static extern UIntPtr terrane_room_holes(WorldHandle world, ref Room room,
                                                        LandHandle land, [In, Out] Patch[] patches,
                                                        UIntPtr capacity);

        [DllImport(Library, CallingConvention = C)]
        public static extern void terrane_chunk_get_info(IntPtr chunk, ref NativeChunkInfo info);
        [DllImport(Library, CallingConvention = C)]
        public static extern int terrane_chunk_generate(WorldHandle world, ulong seed,
                                                        ref Tile tile, uint layers,
                                                        out IntPtr chunk, [In, Out] byte[] error);
        [DllImport(Library, CallingConvention = C)]
        public static extern int terrane_chunk_decode(uint abi, [In] byte[] bytes, UIntPtr size,
                                                      ref Tile tile, uint layers,
                                                      out IntPtr chunk, [In, Out] byte[] error);
        [DllImport(Library, CallingConvention = C)]
        public static extern UIntPtr terrane_chunk_encode(ChunkHandle chunk,
                                                          [In, Out] byte[] buffer,
                                                          UIntPtr capacity);
        [DllImport(Library, CallingConvention = C)]
        public static extern void terrane_chunk_retain(IntPtr chunk);
        [DllImport(Library, CallingConvention = C)]
        public static extern void terrane_chunk_release(IntPtr chunk);

        [DllImport(Library, CallingConvention = C)]
        public static extern int terrane_land_create(uint abi, out IntPtr land,
                                                     [In, Out] byte[] error);
        [DllImport(Library, CallingConvention = C)]
        public static extern void terrane_land_destroy(IntPtr land);
        [DllImport(Library, CallingConvention = C)]
        public static extern int terrane_land_put(LandHandle land, ChunkHandle chunk,
                                                  [In, Out] byte[] error);
        [DllImport(Library, CallingConvention = C)]
        public static extern void terrane_land_remove(LandHandle land, ref Tile tile);
        [DllImport(Library, CallingConvention = C)]
        public static extern int terrane_land_patch(LandHandle land, [In] Patch[] patches,
                                                    UIntPtr count, [In, Out] byte[] error);
        [DllImport(Library, CallingConvention = C)]
        public static extern UIntPtr terrane_land_count(LandHandle land);
        [DllImport(Library, CallingConvention = C)]
        public static extern void terrane_land_ground(LandHandle land, [In] double[] places,
                                                      UIntPtr count, [In, Out] Ground[] grounds);
        [DllImport(Library, CallingConvention = C, EntryPoint = "terrane_land_ground")]
        public static extern void terrane_land_ground_one(LandHandle land, ref Place place,
                                                          UIntPtr one, out Ground ground);
        [DllImport(Library, CallingConvention = C)]
        public static extern int terrane_land_ray(LandHandle land, ref Place from,
                                                  ref Place direction, double distance, ref Hit hit,
                                                  [In, Out] byte[] error);
        [DllImport(Library, CallingConvention = C)]
        public static extern UIntPtr terrane_land_placements(LandHandle land, double x, double y,
                                                             double radius,
                                                             [In, Out] Placement[] placements,
                                                             UIntPtr capacity);
        [DllImport(Library, CallingConvention = C)]
        public static extern void terrane_land_obstacles(LandHandle land, WorldHandle world,
                                                         [In] Body[] bodies, UIntPtr count,
                                                         [In, Out] Obstacle[] obstacles,
                                                         UIntPtr capacity, [In, Out] uint[] counts);
        [DllImport(Library, CallingConvention = C)]
        public static extern UIntPtr terrane_land_take_changes(LandHandle land,
                                                               [In, Out] Change[] changes,
                                                               UIntPtr capacity);
        [DllImport(Library, CallingConvention = C)]
        public static extern int terrane_land_mesh(LandHandle land, ref Tile tile, MeshHandle mesh,
                                                   [In, Out] byte[] error);

        [DllImport(Library, CallingConvention = C)]
        public static extern int terrane_mesh_create(uint abi, out IntPtr mesh,
                                                     [In, Out] byte[] error);
        [DllImport(Library, CallingConvention = C)]
        public static extern void terrane_mesh_destroy(IntPtr mesh);
        [DllImport(Library, CallingConvention = C)]
        public static extern void terrane_mesh_get_info(MeshHandle mesh, ref NativeMeshInfo info);

        [DllImport(Library, CallingConvention = C)]
        public static extern UIntPtr terrane_land_far_trees(LandHandle land, WorldHandle world,
                                                            ref Tile tile,
                                                            [In, Out] FarTree[] trees,
                                                            UIntPtr capacity);

        [DllImport(Library, CallingConvention = C)]
        public static extern int terrane_explorer_create(uint abi, ref NativeExploreOptions options,
                                                         out IntPtr explorer,
                                                         [In, Out] byte[] error);
        [DllImport(Library, CallingConvention = C)]
        public static extern int terrane_explorer_create_local(uint abi, WorldHandle world,
                                                               ref NativeExploreOptions options,
                                                               out IntPtr explorer,
                                                               [In, Out] byte[] error);
        [DllImport(Library, CallingConvention = C)]
        public static extern int terrane_explorer_create_judged(uint abi, WorldHandle world,
                                                                ref NativeExploreOptions options,
                                                                out IntPtr explorer,
                                                                [In, Out] byte[] error);
        [DllImport(Library, CallingConvention = C)]
        public static extern void terrane_explorer_destroy(IntPtr explorer);
        [DllImport(Library, CallingConvention = C)]
        public static extern int terrane_explorer_move(ExplorerHandle explorer, ref Pose pose,
                                                       long nowNs, [In, Out] byte[] error);
        [DllImport(Library, CallingConvention = C)]
        public static extern UIntPtr terrane_explorer_poll(ExplorerHandle explorer,
                                                           [In, Out] ExploreEvent[] events,
                                                           UIntPtr capacity);
        [DllImport(Library, CallingConvention = C)]
        public static extern IntPtr terrane_explorer_land(ExplorerHandle explorer);
        [DllImport(Library, CallingConvention = C)]
        public static extern int terrane_explorer_get_error(ExplorerHandle explorer,
                                                            [In, Out] byte[] error);
        [DllImport(Library, CallingConvention = C)]
        public static extern int terrane_explorer_work(ExplorerHandle explorer);
        [DllImport(Library, CallingConvention = C)]
        public static extern void terrane_lower_thread_priority();
    }

    /// terrane_connection needs terrane_core by a name with its version, which engines do not keep:
    /// it finds the one that is loaded already. So what may be called first calls terrane_core
    /// before; and as mono loads a library when it compiles what calls it, the calls are apart.
    static class Carrier
    {
        const string Library = "terrane_connection";
        const CallingConvention C = CallingConvention.Cdecl;

        [MethodImpl(MethodImplOptions.NoInlining)]
        public static long Now()
        {
            return terrane_connection_now();
        }

        [MethodImpl(MethodImplOptions.NoInlining)]
        public static int Download(ref NativeConnectionOptions options, byte[] name,
                                   out IntPtr world)
        {
            return terrane_download_world(Core.AbiVersion, ref options, name, out world,
                                          Failure.Buffer);
        }

        [DllImport(Library, CallingConvention = C)]
        public static extern int terrane_connection_open(uint abi,
                                                         ref NativeConnectionOptions options,
                                                         ExplorerHandle explorer,
                                                         out IntPtr connection,
                                                         [In, Out] byte[] error);
        [DllImport(Library, CallingConvention = C)]
        public static extern void terrane_connection_close(IntPtr connection);
        [DllImport(Library, CallingConvention = C)]
        public static extern void terrane_connection_flush(ConnectionHandle connection);
        [DllImport(Library, CallingConvention = C)]
        static extern long terrane_connection_now();
        [DllImport(Library, CallingConvention = C)]
        public static extern int terrane_connection_wait(ConnectionHandle connection,
                                                         uint timeoutMs);
        [DllImport(Library, CallingConvention = C)]
        public static extern int terrane_connection_set_token(ConnectionHandle connection,
                                                              byte[] token,
                                                              [In, Out] byte[] error);
        [DllImport(Library, CallingConvention = C)]
        static extern int terrane_download_world(uint abi, ref NativeConnectionOptions options,
                                                 byte[] name, out IntPtr world,
                                                 [In, Out] byte[] error);
    }
}
